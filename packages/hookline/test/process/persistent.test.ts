/** The keeper of processes: how long it keeps them, and that it keeps nobody's host running. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asking, createKeeper } from '../../src/process/persistent.ts'
import { allGone, newToken, programs, survivors, type Token } from '../fixtures/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-keeper-'))
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL('../../src/process/persistent.ts', import.meta.url))],
    outfile: join(root, 'persistent.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  }),
)
afterAll(() => rmSync(root, { recursive: true }))

function asking(token: Token, program = 'warm-answers'): Asking {
  return {
    program: () => ({ kind: 'program', program, args: [], cwd: '/', files: [], env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value } }),
    input: [new TextEncoder().encode('{}\n')],
    timeoutMs: 20_000,
  }
}

describe('a process that no event comes for', () => {
  it('is ended after a while, and started again when one comes', async () => {
    const token = newToken()
    const keeper = createKeeper({ idleMs: 300 })
    expect((await keeper.ask('k', asking(token)).done).stdout).toBe('{"systemMessage":"seen"}\n')
    const [before] = survivors(token)
    expect(before).toBeDefined()
    expect(await allGone(token)).toBe(true)
    expect((await keeper.ask('k', asking(token)).done).stdout).toBe('{"systemMessage":"seen"}\n')
    expect(survivors(token)).not.toEqual([before])
    await keeper.close()
    expect(survivors(token)).toEqual([])
  })

  it('is kept while others of its key are asked', async () => {
    const token = newToken()
    const keeper = createKeeper({ idleMs: 600 })
    await keeper.ask('k', asking(token)).done
    const before = survivors(token)
    for (let count = 0; count < 4; count++) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      await keeper.ask('k', asking(token)).done
    }
    expect(survivors(token)).toEqual(before)
    await keeper.close()
  })
})

describe('a host with an idle process', () => {
  it.each([
    ['ends when it has nothing more to do', '', 0],
    ['may exit', 'process.exit(3)', 3],
  ])('%s, and the process goes with it', async (_name, then, code) => {
    const token = newToken()
    const host = join(root, 'host.mjs')
    writeFileSync(
      host,
      `import { createKeeper } from './persistent.mjs'
       const { done } = createKeeper().ask('k', {
         program: () => ({ kind: 'program', program: ${JSON.stringify(`${programs}/warm-answers`)}, args: [], cwd: '/', files: [], env: { ${token.name}: ${JSON.stringify(token.value)} } }),
         input: [new TextEncoder().encode('{}\\n')], timeoutMs: 60000 })
       console.log((await done).stdout)
       ${then}`,
    )
    const { status, stdout } = spawnSync(process.execPath, [host], { encoding: 'utf8', timeout: 20_000 })
    expect({ status, stdout }).toEqual({ status: code, stdout: '{"systemMessage":"seen"}\n\n' })
    expect(await allGone(token)).toBe(true)
  })
})
