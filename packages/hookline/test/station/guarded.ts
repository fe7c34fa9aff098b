/** A Hookline as people run it, self-protection and all, in a home and a project of its own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../src/index.ts'
import { createHookline, type Hookline, type HooklineOptions } from '../../src/node.ts'

export type GuardedOptions = Omit<HooklineOptions, 'cwd' | 'env'> & { files?: Readonly<Record<string, string>> }
export type Guarded = Hookline & { readonly cwd: string; readonly home: string; readonly notices: Diagnostic[] }

/** Opens one; `await using` closes it and takes its folders away. Files below `~/` are in the home. */
export async function guarded({ files = {}, ...options }: GuardedOptions = {}): Promise<Guarded> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-guarded-')))
  const [home, cwd] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [home, cwd]) mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  }
  const notices: Diagnostic[] = []
  const hookline = await createHookline({
    trust: 'implicit',
    sources: ['builtin', 'plugin', 'user', 'project', 'local', 'session'],
    onNotice: (notice) => notices.push(notice),
    ...options,
    cwd,
    env: { HOME: home, PATH: process.env['PATH'] },
  })
  const close = hookline.close.bind(hookline)
  const closed = async () => {
    await close()
    rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  }
  return Object.assign(hookline, { cwd, home, notices, close: closed, [Symbol.asyncDispose]: closed }) as Guarded
}
