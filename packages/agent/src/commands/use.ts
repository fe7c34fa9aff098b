/** Uses a command: typed by the person (UserPromptExpansion decides first) or invoked by the model through the Skill tool. */

import { dirname } from 'node:path'
import type { FireOptions, Permissions, Scope } from 'hookline'
import { fillArguments } from './expand.ts'
import type { Command } from './find.ts'
import { InlineShellError, type RunShell, runInlineShell } from './inline-shell.ts'

export interface UseContext {
  scope: Scope
  sessionId: string
  signal: AbortSignal
  runShell: RunShell
  permissions?: Partial<Permissions> & FireOptions
  newId: () => string
  /** Registers the hooks of its front matter; called when it has any. */
  attachHooks: (file: string) => Promise<void>
}

export type Expanded =
  | { kind: 'expanded'; command: Command; text: string /** Context of hooks, for the model. */; context: string; suppressOriginal: boolean; stop?: string }
  | { kind: 'blocked'; notice: string }
  | { kind: 'failed'; notice: string }

/** `/name rest`; undefined when the prompt is none. */
export function readSlash(prompt: string): { name: string; args: string } | undefined {
  const found = /^\/([A-Za-z0-9][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(prompt.trim())
  return found === null ? undefined : { name: found[1] as string, args: (found[2] ?? '').trim() }
}

/** What the person typed, expanded; a hook's block keeps it from the model and tells the person why. */
export async function expandTyped(command: Command, typed: { prompt: string; args: string }, context: UseContext): Promise<Expanded> {
  const verdict = await context.scope.fire(
    'UserPromptExpansion',
    { expansion_type: 'slash_command', command_name: command.name, command_args: typed.args, command_source: command.source, prompt: typed.prompt },
    { signal: context.signal },
  )
  if (verdict.blocked || verdict.stop !== undefined) {
    const reason = verdict.reason ?? verdict.stop?.reason ?? ''
    const original = verdict.suppressOriginalPrompt === true ? '' : `\n\nOriginal prompt: ${typed.prompt}`
    return { kind: 'blocked', notice: `UserPromptExpansion operation blocked by hook:\n${reason}${original}` }
  }
  const text = await fillIn(command, typed.args, { ...context, invokedBy: 'user' })
  if (typeof text !== 'string') return { kind: 'failed', notice: text.message }
  return { kind: 'expanded', command, text, context: verdict.toModel, suppressOriginal: verdict.suppressOriginalPrompt === true }
}

/** The text of a skill for the model; throws an `InlineShellError` when one of its commands may not run. */
export async function useInvoked(command: Command, args: string, context: UseContext): Promise<string> {
  const text = await fillIn(command, args, { ...context, invokedBy: 'claude' })
  if (typeof text !== 'string') throw text
  return text
}

async function fillIn(command: Command, args: string, context: UseContext & { invokedBy: 'user' | 'claude' }): Promise<string | InlineShellError> {
  const folder = dirname(command.file)
  const body = fillArguments(command.body, args).replaceAll('${CLAUDE_SKILL_DIR}', folder).replaceAll('${CLAUDE_SESSION_ID}', context.sessionId)
  try {
    const text = await runInlineShell(body, { ...context, command })
    if (command.hasHooks) await context.attachHooks(command.file)
    return command.kind === 'skill' ? `Base directory for this skill: ${folder}\n\n${text.trim()}` : text.trim()
  } catch (error) {
    if (error instanceof InlineShellError) return error
    throw error
  }
}
