/** `hookline fire`: runs the hooks of one event and prints the verdict; the exit code says whether to go on. */
import { type Diagnostic, type EventName, events, type FireInput, type NamedRow, type Verdict } from '../../index.ts'
import { type Hookline, resolveFor } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { eventInput, eventRow } from '../event-input.ts'
import { type Exit, exits } from '../exits.ts'
import type { GlobalOptions, InputOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { catchInterrupt } from '../interrupt.ts'
import { bringModel, modelNote } from '../model.ts'
import { noteSettings } from '../note-settings.ts'
import { digests, openHookline } from '../opening.ts'
import { diagnosticText } from '../render/diagnostics.ts'
import type { Resolved } from '../render/headline.ts'
import { leftOutNote } from '../render/left-out.ts'
import { showProgress } from '../render/progress.ts'
import { count, indented, shown } from '../render/shown.ts'
import { verdictText } from '../render/verdict.ts'
import type { Terminal } from '../terminal.ts'

/** Fires the event once. Gives 2 when the step must not happen, else 0. @throws Failure, HooklineError. */
export async function fire(event: string, options: GlobalOptions & InputOptions, context: CommandContext): Promise<Exit> {
  const row = eventRow(event)
  return fireInput({ row, input: await eventInput(row, options) }, options, context)
}

/** The same for an input that was read. */
export async function fireInput(
  { row, input }: { row: NamedRow; input: Record<string, unknown> },
  options: GlobalOptions & InputOptions,
  { terminal }: CommandContext,
): Promise<Exit> {
  const sessionId = input['session_id']
  const notices: Diagnostic[] = []
  const onNotice = (notice: Diagnostic) => notices.push(notice)
  const hookline = await openHookline(options, { audit: true, onNotice, ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId } : {}) })
  const interrupt = catchInterrupt()
  try {
    noteSettings(hookline, options, terminal)
    const noModel = await bringModel(hookline, row.name as EventName)
    const unwatch = watch(hookline, terminal)
    const verdict: Verdict = await hookline.fire(row.name as EventName, input as unknown as FireInput<EventName>, { signal: interrupt.signal }).finally(unwatch)
    const resolved = isToolCall(verdict) ? await resolveFor(hookline, verdict) : undefined
    printVerdict(verdict, resolved, { options, terminal, left: digests(hookline, options) })
    // A hook that failed is told with the verdict; what stood in the way of the log is no part of it.
    for (const notice of notices.filter(({ code }) => code.startsWith('audit-')))
      terminal.note(diagnosticText(notice, { paint: terminal.notePaint, cwd: folderOf(options) }))
    terminal.note(modelNote(verdict.hooks, noModel))
    if (!(await awaitBackground(hookline, terminal, interrupt.signal))) return exits.interrupted
    return verdict.blocked || resolved?.behavior === 'deny' || resolved?.behavior === 'defer' ? exits.refused : exits.goOn
  } finally {
    await hookline.close()
    interrupt.ignore()
  }
}

/** Trace lines where they were asked for, progress where a person looks. */
function watch({ trace }: Hookline, terminal: Terminal): () => void {
  if (terminal.form === 'lines') return trace.subscribe((line) => terminal.line(line))
  return terminal.live === undefined ? () => undefined : showProgress(trace, terminal.live)
}

/** Only a tool call has rules and a mode beside the hooks' opinion. */
function isToolCall(verdict: Verdict): verdict is Verdict<'PreToolUse'> {
  return verdict.event === events.PreToolUse.name
}

interface Printing {
  readonly options: GlobalOptions
  readonly terminal: Terminal
  readonly left: ReturnType<typeof digests>
}

function printVerdict(verdict: Verdict, resolved: Resolved | undefined, { options, terminal, left }: Printing): void {
  const cwd = folderOf(options)
  terminal.show(documentOf(verdict, resolved), () =>
    verdictText(verdict, { paint: terminal.paint, verbose: options.verbose === true, cwd, ...(resolved === undefined ? {} : { resolved }) }),
  )
  terminal.note(leftOutNote(verdict.hooks, { cwd, ...left }))
}

/** The verdict's own document, with `resolved` behind `permission`. */
function documentOf(verdict: Verdict, resolved: Resolved | undefined): object {
  const document = verdict.toJSON()
  if (resolved === undefined) return document
  const { behavior, cause, reason } = resolved
  const entries = Object.entries(document)
  const after = entries.findIndex(([key]) => key === 'permission') + 1
  return Object.fromEntries([
    ...entries.slice(0, after),
    ['resolved', { behavior, cause, ...(reason === undefined ? {} : { reason }) }],
    ...entries.slice(after),
  ])
}

/**
 * Background hooks would be ended with this process, so their work is waited for; the verdict is out already, so what
 * comes now is a note. False: the wait was interrupted.
 */
async function awaitBackground(hookline: Hookline, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const jobs = hookline.background
  if (jobs.length === 0) return true
  const them = jobs.length === 1 ? 'it' : 'them'
  terminal.note(`Waiting for ${count(jobs.length, 'background hook')}; Ctrl-C ends ${them}.`)
  const interrupted = new Promise<'interrupted'>((done) => signal.addEventListener('abort', () => done('interrupted'), { once: true }))
  if (signal.aborted || (await Promise.race([Promise.all(jobs.map((job) => job.done)), interrupted])) === 'interrupted') {
    terminal.note(`hookline: interrupted; ended ${them}.`)
    return false
  }
  for (const { toModel, toUser } of hookline.drain()) {
    if (toModel !== '') terminal.note(`later, to the model: ${indented(shown(toModel), 2)}`)
    if (toUser !== '') terminal.note(`later, to the user: ${indented(shown(toUser), 2)}`)
  }
  return true
}
