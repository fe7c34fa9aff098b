/** Puts a program behind the fence that was asked for, and tells afterwards whether it was run at all. */
import type { Readable } from 'node:stream'
import type { Ending } from '../protocol/ending.ts'
import { endingOfCode } from './ending-of-code.ts'
import type { Environment } from './environment.ts'
import { variableName } from './pool-script.ts'
import type { Release } from './sandbox-place.ts'
import { type Fence, type Rules, restrictedRules } from './sandbox-rules.ts'
import { innerName } from './sandbox-shells.ts'
import { findFencer } from './sandbox-tools.ts'
import { type Attempt, explainSpawnError } from './spawn-error.ts'

export type { Fence } from './sandbox-rules.ts'

/** What to start in place of the program, or why it must not be started. */
export type Fenced =
  | { readonly kind: 'line'; readonly program: string; readonly args: readonly string[]; readonly release: Release }
  | { readonly kind: 'fault'; readonly why: string }

/** The program behind its fence, which is released when it is over. */
export function fenceIn(program: string, args: readonly string[], { fence, cwd, env }: { fence: Fence; cwd: string; env: Environment }): Fenced {
  const found = findFencer(fence.sandbox)
  if ('why' in found) return { kind: 'fault', why: found.why }
  const { fencer } = found
  const rules: Rules =
    fence.sandbox.mode === 'restricted' ? restrictedRules(fence, { cwd, path: env['PATH'] ?? '' }) : { kind: 'rules', words: [], release: () => {} }
  if (rules.kind === 'fault') return rules
  const line = [...fencer.before, ...rules.words, ...fencer.between, ...oddVariables(env), program, ...args]
  return { kind: 'line', program: fencer.program, args: line, release: rules.release }
}

/** The variables that the shells of a fence would not hand on. */
function oddVariables(env: Environment): string[] {
  const odd = Object.keys(env).filter((name) => !variableName.test(name))
  return odd.length === 0 ? [] : ['env', ...odd.map((name) => `${name}=${env[name]}`)]
}

/** What a fence says on its own descriptor. */
export interface FenceStatus {
  /** Settles when nothing more will be said. */
  readonly ended: Promise<void>
  /** How the program ended, when the fence ended with this code; `undefined` when the program was never run. */
  endingOf(code: number, stderr: string): Ending | undefined
}

const longestStatus = 4_096

/** Listens to a fence. */
export function followFence(stream: Readable): FenceStatus {
  let said = ''
  const ended = new Promise<void>((resolve) => {
    stream.once('end', resolve).once('close', resolve)
  })
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(0, longestStatus)
  })
  return {
    ended,
    endingOf(code, stderr) {
      const [, words, told] = /^begun\n([\s\S]*?)(?:exit-code (\d+)\n)?$/.exec(said) ?? []
      if (words === undefined || (unrun.has(code) && startFault(stderr) !== undefined)) return undefined
      // A fence that told no code was itself ended, and the program with it.
      return endingOfCode(code, { hasSpoken: told === undefined || words !== '' })
    },
  }
}

// What a shell ends with when it cannot start what it should.
const unrun = new Set([126, 127])

// Of its shell, or of what the shell runs first.
const ownWord = new RegExp(`^(?:${innerName}: (?:line )?\\d+|\\S*(?:env|setsid)): `)
const codes: readonly [RegExp, string][] = [
  [/not found|No such file or directory/, 'ENOENT'],
  [/Permission denied/, 'EACCES'],
  [/Exec format error/, 'ENOEXEC'],
  [/Argument list too long/, 'E2BIG'],
]

/** Why a program behind a fence was never run, from what the fence itself wrote. */
export function explainFence(stderr: string, attempt: Attempt): string {
  const code = startFault(stderr)
  if (code !== undefined) return explainSpawnError(code, attempt)
  const last = lastLine(stderr)
  return `the sandbox could not be built: ${last === '' ? 'it ended without a word' : last.slice(0, 300)}`
}

/** The system's code, when what was written last is the fence's own word that the program cannot be started. */
function startFault(stderr: string): string | undefined {
  const last = lastLine(stderr)
  return ownWord.test(last) ? codes.find(([pattern]) => pattern.test(last))?.[1] : undefined
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
