/** A host that was itself started with more descriptors than three: hooks have none of them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxFault } from '../../src/process/sandbox-tools.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-inherited-'))
afterAll(() => rmSync(root, { recursive: true }))
const secret = join(root, 'secret')
writeFileSync(secret, 'secret')
for (const name of ['backend', 'persistent'])
  buildSync({
    entryPoints: [fileURLToPath(new URL(`../../src/process/${name}.ts`, import.meta.url))],
    outfile: join(root, `${name}.mjs`),
    bundle: true,
    platform: 'node',
    format: 'esm',
  })

const look = 'ls -l /proc/self/fd'

/** Ways to start a program that looks at its descriptors. */
const ways: Readonly<Record<string, string>> = {
  'a shell command': `(await off.start('/bin/sh', ['-c', '${look}'], options).done).stdout`,
  'a program': `(await off.start('ls', ['-l', '/proc/self/fd'], options).done).stdout`,
  'a worker of the pool': `(await pool.start('/bin/sh', ['-c', '${look}'], options).done).stdout`,
  'a program behind a fence': `(await off.start('/bin/sh', ['-c', '${look}'], { ...options, fence: { sandbox: { mode: 'contained' }, projectDir: '/tmp', home: '/root' } }).done).stdout`,
  'a process that stays': `(await keeper.ask('k', { program: () => stays, input: [new TextEncoder().encode('{}\\n')], timeoutMs: 60000 }).done, fs.readFileSync('${root}/told', 'utf8'))`,
}

/** The descriptors that a program had, one `number -> file` a line, in a host that a shell started with more. */
function descriptorsIn(way: string): string[] {
  const host = join(root, 'host.mjs')
  writeFileSync(
    host,
    `import fs from 'node:fs'
     import { createBackend } from './backend.mjs'
     import { createKeeper } from './persistent.mjs'
     const options = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 60000 }
     const stays = { kind: 'program', program: '/bin/sh', args: ['-c', 'read x; ${look} >${root}/told; echo "{}"'], cwd: '/', files: [], env: options.env }
     const [off, pool, keeper] = [createBackend('off', { limit: 8 }), createBackend('eager', { limit: 8 }), createKeeper()]
     fs.writeSync(1, ${ways[way]})
     process.exit()`,
  )
  const script = `exec 9<'${secret}' 41<'${secret}' 57>>'${secret}'; exec '${process.execPath}' '${host}'`
  const { stdout, stderr, status } = spawnSync('/bin/bash', ['-c', script], { encoding: 'utf8', timeout: 30_000 })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.split('\n').flatMap((line) => / (\d+ -> .*)$/.exec(line)?.[1] ?? [])
}

describe('of a host with more descriptors than three', () => {
  it.for(Object.keys(ways))('%s has none', (way, ctx) => {
    const fault = way.includes('fence') ? sandboxFault({ mode: 'contained' }) : undefined
    if (fault !== undefined) return ctx.skip(fault)
    const all = descriptorsIn(way)
    expect(all.length).toBeGreaterThan(3)
    expect(all.join('\n')).not.toContain(secret)
    // One more is that of the program that looks. What cannot be closed leads nowhere.
    const more = all.filter((one) => !/^[012] /.test(one) && !one.includes('/proc/') && !one.endsWith(' -> /dev/null'))
    expect(more).toEqual([])
    if (way === 'a worker of the pool') expect(all).toHaveLength(4)
  })
})
