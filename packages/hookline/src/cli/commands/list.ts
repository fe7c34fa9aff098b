/** `hookline list`: the hooks there are, by event, with their sources and whether they are trusted; or the events there are. */
import { type EventName, eventNames, events, type NamedRow } from '../../index.ts'
import { sourcesOf } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { eventRow } from '../event-input.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { openHookline } from '../opening.ts'
import { type EventsDocument, eventsText, type ListDocument, type ListedSource, listText, trustOf } from '../render/list.ts'
import type { Terminal } from '../terminal.ts'

/** Options of `list` beside the common ones. */
export interface ListOptions extends GlobalOptions {
  /** The events there are, whether or not they have hooks. */
  events?: true
  /** This hook only. */
  hook?: string
}

/** @throws Failure, HooklineError. */
export async function list(event: string | undefined, options: ListOptions, { terminal }: CommandContext): Promise<Exit> {
  if (options.events) return listEvents(event, terminal)
  const only = event === undefined ? {} : { event: eventRow(event).name as EventName }
  const hookline = await openHookline(options)
  try {
    const hooks = hookline.list(only).filter((hook) => options.hook === undefined || hook.id === options.hook)
    if (options.hook !== undefined && hooks.length === 0)
      throw new Failure('unknown-hook', `--hook: there is no hook "${options.hook}".`, { hint: 'See `hookline list --json` for the ids.' })
    const all = hookline.list()
    const sources = sourcesOf(hookline).map(({ path: _, ...source }): ListedSource => ({ ...source, ...trustOf(source, all) }))
    const cwd = folderOf(options)
    const document: ListDocument = { version: 1, kind: 'list', cwd, sources, hooks, warnings: hookline.diagnostics }
    terminal.show(document, () => listText(document, { paint: terminal.paint, cwd, verbose: options.verbose === true }))
    return exits.goOn
  } finally {
    await hookline.close()
  }
}

function listEvents(only: string | undefined, terminal: Terminal): Exit {
  const table = events as unknown as Readonly<Record<string, NamedRow>>
  const names = only === undefined ? eventNames : [eventRow(only).name]
  const rows = names.map((name) => table[name] as NamedRow)
  const document: EventsDocument = {
    version: 1,
    kind: 'events',
    events: rows.map(({ name, group, summary, match, powers, handlers }) => ({
      name,
      group,
      summary,
      ...(match === undefined ? {} : { match }),
      powers,
      handlers,
    })),
  }
  terminal.show(document, () => eventsText(document, { paint: terminal.paint }))
  return exits.goOn
}
