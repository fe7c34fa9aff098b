/** `hookline explain`: says of every hook of an event whether it would run, check by check; runs nothing. */
import type { EventName, FireInput } from '../../index.ts'
import type { CommandContext } from '../context.ts'
import { eventInput, eventRow } from '../event-input.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions, InputOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { bringModel, modelNote } from '../model.ts'
import { noteSettings } from '../note-settings.ts'
import { digests, openHookline } from '../opening.ts'
import { explanationText } from '../render/explanation.ts'
import { leftOutNote } from '../render/left-out.ts'

/** Options of `explain` beside the common ones. */
export interface ExplainOptions extends GlobalOptions, InputOptions {
  /** Show this hook only. */
  hook?: string
}

/** @throws Failure, HooklineError. */
export async function explain(event: string, options: ExplainOptions, { terminal }: CommandContext): Promise<Exit> {
  const row = eventRow(event)
  const input = await eventInput(row, options)
  const hookline = await openHookline(options)
  try {
    noteSettings(hookline, options, terminal)
    const noModel = await bringModel(hookline, row.name as EventName)
    const whole = hookline.explain(row.name as EventName, input as unknown as FireInput<EventName>)
    const hooks = options.hook === undefined ? whole.hooks : whole.hooks.filter((hook) => hook.id === options.hook)
    if (options.hook !== undefined && hooks.length === 0) {
      const ids = whole.hooks.map((hook) => hook.id)
      throw new Failure('unknown-hook', `--hook: ${event} has no hook "${options.hook}".`, {
        hint: ids.length === 0 ? 'It has no hooks at all.' : `It has ${ids.join(', ')}.`,
      })
    }
    const explanation = { ...whole, hooks }
    const cwd = folderOf(options)
    terminal.show(explanation, () => explanationText(explanation, { paint: terminal.paint, cwd }))
    terminal.note(leftOutNote(hooks, { cwd, supposed: true, ...digests(hookline, options) }))
    terminal.note(modelNote(hooks, noModel))
    return exits.goOn
  } finally {
    await hookline.close()
  }
}
