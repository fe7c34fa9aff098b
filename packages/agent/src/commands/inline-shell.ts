/** Runs the shell commands inside a command's text, each after PreSkillShellCommand and the same permission as the model's own Bash. */
import { compileRules, type FireOptions, type Permissions, type Scope } from 'hookline'
import { inlineCommands } from './expand.ts'
import type { Command } from './find.ts'

/** Runs one shell command and gives what it printed; rejects when it fails. */
export type RunShell = (command: string, context: { signal: AbortSignal }) => Promise<string>

export interface InlineContext {
  scope: Scope
  command: Command
  invokedBy: 'user' | 'claude'
  runShell: RunShell
  /** What decides about the model's own Bash in this conversation: mode, workspace, whom to ask. */
  permissions?: Partial<Permissions> & FireOptions
  signal: AbortSignal
  newId: () => string
}

/** A command of the text that may not run, or failed: the text is not handed to the model half done. */
export class InlineShellError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InlineShellError'
  }
}

/** `text` with every shell command replaced by what it printed; commands run one after the other, in order. */
export async function runInlineShell(text: string, context: InlineContext): Promise<string> {
  let rest = text
  for (const { whole, command } of inlineCommands(text)) {
    const printed = await runOne(command, context)
    rest = rest.replace(whole, () => printed.trimEnd())
  }
  return rest
}

/** What the command allows itself, beside the rules of the conversation. */
function rulesOf({ command, permissions }: InlineContext): NonNullable<Permissions['rules']> {
  const lists = { allow: command.allowedTools }
  const others = permissions?.rules
  if (typeof others !== 'function') return lists
  const own = compileRules(lists)
  return (call, context) => (own({ tool: call.name, input: call.input }).behavior === 'allow' ? 'allow' : others(call, context))
}

async function runOne(command: string, context: InlineContext): Promise<string> {
  const { scope, signal } = context
  const where = `Shell command of /${context.command.name} (${context.command.file})`
  const call = { name: 'Bash', input: { command }, id: context.newId() }
  const verdict = await scope.fire(
    'PreSkillShellCommand',
    {
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: call.id,
      command_name: context.command.name,
      command_source: context.command.source,
      invoked_by: context.invokedBy,
    },
    { signal },
  )
  if (verdict.blocked) throw new InlineShellError(`${where} was refused by a hook: ${verdict.permission.reason ?? verdict.reason ?? 'no reason given'}.`)
  // The guards of Bash hold here too: what the model may not run, a text that the model invokes may not run either.
  const permit = await scope.permit(call, { ...context.permissions, signal, rules: rulesOf(context) })
  if (permit.behavior !== 'allow' && permit.behavior !== 'passthrough')
    throw new InlineShellError(
      `${where} may not run: ${permit.reason ?? permit.cause}. Name it under allowed-tools, or add an allow rule; in a folder that nobody vouched for, only the rule or --trust helps.`,
    )
  try {
    return await context.runShell(String(permit.call.input['command']), { signal })
  } catch (error) {
    throw new InlineShellError(`${where} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
