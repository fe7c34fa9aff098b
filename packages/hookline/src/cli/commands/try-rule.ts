/** `hookline try rule`: one permission rule against one call. */
import { homedir } from 'node:os'
import { matchRule } from '../../index.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { parseObject } from '../read-json.ts'
import { shown } from '../render/shown.ts'
import { answerLines } from './batch.ts'

/** Options of `try rule`. */
export interface TryRuleOptions extends GlobalOptions {
  batch?: true
  tool?: string
  toolInput?: string
}
type RuleAnswer = Pick<ReturnType<typeof matchRule>, 'deny' | 'allow' | 'certainty' | 'why'>

/** Gives 1 when the rule matches neither way. @throws Failure. */
export async function tryRule([rule, command]: readonly (string | undefined)[], options: TryRuleOptions, { terminal }: CommandContext): Promise<Exit> {
  const cwd = folderOf(options)
  if (options.batch) return await answerLines(process.stdin, terminal, (line) => answer(line, cwd))
  if (rule === undefined || (command === undefined && options.toolInput === undefined)) {
    throw new Failure('missing-argument', 'try rule needs a rule, and a command or --tool and --tool-input.', {
      hint: "For example: hookline try rule 'Bash(git push *)' 'git push --force'",
    })
  }
  const call = options.toolInput === undefined ? { command } : { input: await parseObject(options.toolInput, { name: '--tool-input' }) }
  const found = answer({ rule, ...call, ...(options.tool === undefined ? {} : { tool: options.tool }) }, cwd)
  const yes = (value: boolean) => (value ? terminal.paint.green('yes') : 'no')
  terminal.show(found, () => `as a deny or ask rule: ${yes(found.deny)}\nas the only allow rule: ${yes(found.allow)}\n${found.certainty}: ${shown(found.why)}`)
  return found.deny || found.allow ? exits.goOn : exits.findings
}

function answer(line: Readonly<Record<string, unknown>>, cwd: string): RuleAnswer {
  const { rule, command, tool, input } = line
  if (typeof rule !== 'string') throw new Failure('missing-rule', '"rule" must be a text, for example "Bash(git push *)".')
  if (tool !== undefined && typeof tool !== 'string') throw new Failure('invalid-input', '"tool" must be a text.')
  if (command === undefined && input === undefined) throw new Failure('missing-call', 'give "command", or "tool" and "input".')
  if (command !== undefined && typeof command !== 'string') throw new Failure('invalid-input', '"command" must be a text.')
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input)))
    throw new Failure('invalid-input', '"input" must be an object.')
  const call = { tool: tool ?? 'Bash', input: (input as Record<string, unknown> | undefined) ?? { command }, cwd, home: homedir() }
  const { deny, allow, certainty, why } = matchRule(rule, call)
  return { deny, allow, certainty, why }
}
