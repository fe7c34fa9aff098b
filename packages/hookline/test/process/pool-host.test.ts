/** A host and its pool: neither keeps the other from ending, however the host ends. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { allGone, newToken } from '../fixtures/programs.ts'
import { processesOf, until } from './pooled.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-pool-host-'))
afterAll(() => rmSync(root, { recursive: true }))
buildSync({
  entryPoints: [fileURLToPath(new URL('../../src/process/backend.ts', import.meta.url))],
  outfile: join(root, 'backend.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
})

/** A program that opens a pool, tells its folder, and goes on as given. */
function host(rest: string): string {
  const token = newToken()
  const file = join(root, `host-${token.value}.mjs`)
  writeFileSync(
    file,
    `import { createBackend } from './backend.mjs'
     const backend = createBackend('eager', { limit: 8 })
     const run = (command, timeoutMs = 60000) => backend.start('/bin/sh', ['-c', command], { cwd: '/', env: { PATH: '/usr/bin:/bin', ${token.name}: '${token.value}' }, timeoutMs, input: [new Uint8Array(10)] }).done
     let base = ''
     for (let tries = 0; tries < 100 && base === ''; tries++) base = (await run('tr "\\\\0" "\\\\n" </proc/$PPID/cmdline | grep "/hookline-.*/w"')).stdout.trim()
     console.log(base.slice(0, base.lastIndexOf('/')), '${token.value}')
     ${rest}`,
  )
  return file
}

const told = (line: string) => {
  const [folder = '', value = ''] = line.trim().split(' ')
  return { folder, token: { name: 'HOOK_TEST_TOKEN', value } as const }
}

describe('a host that opened a pool', () => {
  it.each([
    ['by having nothing more to do', '', 0],
    ['by process.exit', 'void run("sleep 3600"); setTimeout(() => process.exit(3), 300)', 3],
    [
      'by an error nobody caught, while hooks ignore being asked',
      'void run("trap \\"\\" TERM; while :; do sleep 100; done"); setTimeout(() => { throw new Error("x") }, 300)',
      1,
    ],
  ])('ends %s, and leaves neither processes nor files', async (_name, rest, code) => {
    const { status, stdout } = spawnSync(process.execPath, [host(rest)], { encoding: 'utf8', timeout: 25_000 })
    const { folder, token } = told(stdout)
    expect([status, folder.startsWith('/')]).toEqual([code, true])
    expect(await allGone(token)).toBe(true)
    await until('the workers are gone', () => processesOf(folder).length === 0)
    await until('the folder is gone', () => !existsSync(folder))
  })

  it('leaves no worker when it is killed, however many it keeps busy at that moment', async () => {
    const busy = 'for (let one = 0; one < 8; one++) void (async () => { for (;;) await run("true") })(); console.log("busy")'
    const child = spawn(process.execPath, [host(busy)], { stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    await until('the host is busy', () => stdout.includes('busy'))
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { folder, token } = told(stdout.split('\n')[0] ?? '')
    expect(processesOf(folder).length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await until('the workers are gone', () => processesOf(folder).length === 0)
    await until('the folder is gone', () => !existsSync(folder))
    expect(await allGone(token)).toBe(true)
  })
})

describe('a pool without room for its files', () => {
  it('leaves what needs some to processes of their own, with the same results', () => {
    const file = join(root, 'full.mjs')
    writeFileSync(
      file,
      `import { createBackend } from './backend.mjs'
       const backend = createBackend('eager', { limit: 4 })
       for (const size of [10, 1000000]) {
         const { ending, stdout } = await backend.start('/bin/sh', ['-c', 'wc -c; exit 2'], { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 9000, input: [new Uint8Array(size)] }).done
         console.log(ending.code, stdout.trim())
       }
       backend.close()`,
    )
    const { stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -f 0; exec "$0" "$1"', process.execPath, file], { encoding: 'utf8' })
    expect(stdout).toBe('2 10\n2 1000000\n')
  })
})

describe('a pool that is not wanted', () => {
  it('starts nothing, and one that may wait leaves the first run to a process of its own', async () => {
    const file = join(root, 'modes.mjs')
    writeFileSync(
      file,
      `import { createBackend } from './backend.mjs'
       const parent = async (backend) => Number((await backend.start('/bin/sh', ['-c', 'echo $PPID'], { cwd: '/', env: {}, timeoutMs: 9000 }).done).stdout) === process.pid
       const [off, lazy, eager] = [createBackend('off', { limit: 4 }), createBackend('lazy', { limit: 4 }), createBackend('eager', { limit: 4 })]
       const soon = async (backend) => { for (let tries = 0; tries < 100; tries++) if (!(await parent(backend))) return true }
       console.log(await parent(off), await parent(off), await parent(lazy), await soon(lazy), await soon(eager), await parent(off))
       for (const one of [off, lazy, eager]) one.close()`,
    )
    expect(spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout).toBe('true true true true true true\n')
  })
})
