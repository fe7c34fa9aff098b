/** Puts a program behind the fence that was asked for, and tells afterwards whether it was run at all. */
import type { Readable } from 'node:stream'
import { type Fence, restrictedRules } from './sandbox-rules.ts'
import { findFencer } from './sandbox-tools.ts'
import { type Attempt, explainSpawnError } from './spawn-error.ts'

export type { Fence } from './sandbox-rules.ts'

/** What to start in place of the program, or why it must not be started. */
export type Fenced = { readonly kind: 'line'; readonly program: string; readonly args: readonly string[] } | { readonly kind: 'fault'; readonly why: string }

/** The program behind its fence. */
export function fenceIn(program: string, args: readonly string[], { fence, cwd, path }: { fence: Fence; cwd: string; path: string | undefined }): Fenced {
  const found = findFencer(fence.sandbox)
  if ('why' in found) return { kind: 'fault', why: found.why }
  const { fencer } = found
  const rules = fence.sandbox.mode === 'restricted' ? restrictedRules(fence, { cwd, path: path ?? '' }) : { kind: 'rules' as const, words: [] }
  if (rules.kind === 'fault') return rules
  return { kind: 'line', program: fencer.program, args: [...fencer.before, ...rules.words, ...fencer.between, program, ...args] }
}

/** What a fence says on its own descriptor. */
export interface FenceStatus {
  /** Settles when nothing more will be said. */
  readonly ended: Promise<void>
  /** The program itself was run, and ended. */
  readonly ran: boolean
}

/** Listens to a fence. */
export function followFence(stream: Readable): FenceStatus {
  let said = ''
  const ended = new Promise<void>((resolve) => {
    stream.once('end', resolve).once('close', resolve)
  })
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(-1_000)
  })
  return {
    ended,
    get ran() {
      return said.includes('"exit-code"')
    },
  }
}

const codes: readonly [RegExp, string][] = [
  [/No such file or directory/, 'ENOENT'],
  [/Permission denied/, 'EACCES'],
  [/Exec format error/, 'ENOEXEC'],
  [/Argument list too long/, 'E2BIG'],
]

/** Why a program behind a fence was never run, from what the fence itself wrote. */
export function explainFence(stderr: string, attempt: Attempt): string {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const code = /execvp/.test(last) ? codes.find(([pattern]) => pattern.test(last))?.[1] : undefined
  if (code !== undefined) return explainSpawnError(code, attempt)
  return `the sandbox could not be built: ${last === '' ? 'it ended without a word' : last.slice(0, 300)}`
}
