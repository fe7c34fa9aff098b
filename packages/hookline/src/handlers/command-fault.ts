/** Looks closer at a shell command whose program the shell could not run: the shell's code alone does not say why. */
import { explainSpawnError } from '../process/spawn-error.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { RawResult, RunnableHook } from '../protocol/runner.ts'
import { programInShell, type Surroundings } from './warm-files.ts'

const faults = new Map([
  [126, 'EACCES'],
  [127, 'ENOENT'],
])

/** The finding, when the command begins with the path of a program that cannot be run. */
export function shellFault({ info, spec }: RunnableHook, { ending }: RawResult, around: Surroundings): readonly Diagnostic[] {
  const code = ending.kind === 'exited' ? faults.get(ending.code) : undefined
  if (code === undefined || spec?.type !== 'command' || spec.args !== undefined) return []
  const program = programInShell(spec.command, around)
  if (program === undefined) return []
  const why = explainSpawnError(code, { program, args: [], cwd: around.cwd })
  return [
    {
      severity: 'warning',
      code: 'not-started',
      message: `The program of hook ${JSON.stringify(info.label)} could not be started: ${why}.`,
      hook: info.id,
    },
  ]
}
