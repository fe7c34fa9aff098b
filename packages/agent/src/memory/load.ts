/** Tells hooks of every instruction file that enters the conversation, and words them for the model. */
import type { Scope } from 'hookline'
import type { Instruction } from './memory.ts'

/** Fires InstructionsLoaded for each; observers only, so nobody waits for them before the next request. Settles when all were told. */
export async function announce(instructions: readonly Instruction[], scope: Scope, signal?: AbortSignal): Promise<void> {
  const told = instructions.filter((instruction) => instruction.silent !== true)
  await Promise.all(
    told.map((one) =>
      scope.fire(
        'InstructionsLoaded',
        {
          file_path: one.path,
          memory_type: one.type,
          load_reason: one.reason,
          ...(one.globs === undefined ? {} : { globs: [...one.globs] }),
          ...(one.trigger === undefined ? {} : { trigger_file_path: one.trigger }),
          ...(one.parent === undefined ? {} : { parent_file_path: one.parent }),
        },
        signal === undefined ? {} : { signal },
      ),
    ),
  )
}

/** The text for the model: each file with its path; empty when there is none. */
export function instructionText(instructions: readonly Instruction[]): string {
  if (instructions.length === 0) return ''
  const parts = instructions.map((one) => `Contents of ${one.path} (${wordFor[one.type]}):\n\n${one.text.trim()}`)
  return `Instructions of this user and project. Follow them unless the person says otherwise.\n\n${parts.join('\n\n')}`
}

const wordFor = { User: 'user instructions', Project: 'project instructions', Local: 'local project instructions', Managed: "the organisation's instructions" }
