/** A host that ends takes its hooks along. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { allGone, newToken, program } from '../fixtures/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-exit-'))
afterAll(() => rmSync(root, { recursive: true }))
buildSync({
  entryPoints: [fileURLToPath(new URL('../../src/process/starter.ts', import.meta.url))],
  outfile: join(root, 'starter.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
})

describe('a host that ends while hooks run', () => {
  it.each([
    ['by process.exit', 'process.exit(3)', 3],
    ['by an error nobody caught', 'throw new Error("host error")', 1],
  ])('%s leaves none of them', async (_name, how, code) => {
    const token = newToken()
    const host = join(root, 'host.mjs')
    writeFileSync(
      host,
      `import { createStarter } from './starter.mjs'
       const starter = createStarter()
       for (const name of ${JSON.stringify([program('spawns-child'), program('ignores-sigterm')])})
         void starter.start(name, [], { cwd: '/', env: { PATH: process.env.PATH, ${token.name}: ${JSON.stringify(token.value)} }, timeoutMs: 60000 })
       setTimeout(() => { ${how} }, 500)`,
    )
    expect(spawnSync(process.execPath, [host]).status).toBe(code)
    expect(await allGone(token)).toBe(true)
  })
})
