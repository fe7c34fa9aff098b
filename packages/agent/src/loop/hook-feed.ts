/** Tells what hooks do, from the trace: their start, output and end, what they say to the person, and signals for the terminal. */
import type { HookReport, Trace, TraceLine, Undo, Verdict } from 'hookline'
import type { Emit } from '../events.ts'

// Fields whose value stands behind the event's name: "PreToolUse:Bash". Stops are named by the event alone.
const named: Readonly<Record<string, string>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  SessionStart: 'source',
  Setup: 'trigger',
  SubagentStart: 'agent_type',
}

/** What a call is called in progress and notices: the event, with its match value where there is one. */
export function hookName(event: string, matched: string | undefined): string {
  return matched === undefined || matched === '' ? event : `${event}:${matched}`
}

/** Feeds `emit` until it is undone. */
export function feedHooks(trace: Trace, emit: Emit): Undo {
  const matched = new Map<string, string>()
  const nameOf = (callId: string) => {
    const value = matched.get(callId)
    return value === undefined ? {} : { matched: value }
  }
  return trace.subscribe((line: TraceLine) => {
    if (line.kind === 'fired') {
      const field = named[line.event]
      const value = field === undefined || line.selected === 0 ? undefined : (line.input as Record<string, unknown>)[field]
      if (typeof value === 'string') matched.set(line.callId, value)
    } else if (line.kind === 'started') {
      const status = line.statusMessage === undefined ? {} : { statusMessage: line.statusMessage }
      emit({ kind: 'hook-start', callId: line.callId, hook: line.hook, event: line.event, ...nameOf(line.callId), ...status })
    } else if (line.kind === 'output')
      emit({ kind: 'hook-output', callId: line.callId, hook: line.hook, event: line.event, stream: line.stream, text: line.text })
    else if (line.kind === 'verdict') {
      tellVerdict(line.verdict, { emit, event: line.event, matched: matched.get(line.callId) })
      matched.delete(line.callId)
    } else if (line.kind === 'late') {
      if (line.late.toUser !== '') emit({ kind: 'notice', level: 'info', text: line.late.toUser })
    }
  })
}

interface Telling {
  readonly emit: Emit
  readonly event: string
  readonly matched: string | undefined
}

function tellVerdict(verdict: Verdict, { emit, event, matched }: Telling): void {
  for (const report of verdict.hooks) {
    if (report.status !== 'ran') continue
    const { ending, outcome, stdout = '', stderr = '', ms } = report as Extract<HookReport, { status: 'ran' }>
    const hook = report
    emit({ kind: 'hook-end', callId: verdict.callId, hook, event, ending, outcome, stdout, stderr, ms, ...(matched === undefined ? {} : { matched }) })
  }
  for (const message of verdict.messages) {
    if (message.to !== 'user') continue
    const text = message.level === 'info' ? `${hookName(event, matched)} says: ${message.text}` : message.text
    emit({ kind: 'notice', level: message.level, text })
  }
  if (verdict.terminalSequence !== undefined) emit({ kind: 'terminal', sequence: verdict.terminalSequence })
}
