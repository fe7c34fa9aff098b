/** A plain `fire`: answered at once where nobody wrote policy, or hooks that the event may meet; everything else is loaded and fired. */
import { countPassedBy } from '../node.ts'
import type { CommandContext } from './context.ts'
import { eventInput, eventRow } from './event-input.ts'
import { type Exit, exits } from './exits.ts'
import type { GlobalOptions } from './flags.ts'
import { folderOf } from './folder.ts'
import type { FireRequest } from './quick.ts'
import { goOn, noHookRan } from './render/go-on.ts'
import type { Terminal } from './terminal.ts'

/** Fires what was asked for. @throws Failure, HooklineError. */
export async function fireAtOnce({ event, options }: FireRequest, context: CommandContext): Promise<Exit> {
  const { terminal } = context
  const row = eventRow(event)
  const input = await eventInput(row, options)
  if (isPlain(options, terminal)) {
    const passed = countPassedBy(row, input, { cwd: folderOf(options), env: process.env, trusted: options.trust === true })
    if (passed !== undefined) {
      terminal.print(goOn(noHookRan(row.name, passed), terminal.paint))
      return exits.goOn
    }
  }
  return (await import('./commands/fire.ts')).fireInput({ row, input }, options, context)
}

/** The line for people is all that is asked for, and the settings on disk are all there are. */
function isPlain({ hooks, settings, trustDigest, verbose }: GlobalOptions, { form }: Terminal): boolean {
  return form === 'text' && hooks && settings === undefined && trustDigest === undefined && verbose !== true
}
