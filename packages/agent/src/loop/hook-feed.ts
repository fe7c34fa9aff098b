/** Tells what hooks do, from the trace: their start, output and end, what they say to the person, and signals for the terminal. */
import type { HookReport, Trace, TraceLine, Undo, Verdict } from 'hookline'
import type { AgentEvent, Emit } from '../events.ts'

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

function matchedIn(event: string, input: unknown): string | undefined {
  const field = named[event]
  const value = field === undefined ? undefined : (input as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : undefined
}

/** Feeds `emit` until it is undone. */
export function feedHooks(trace: Trace, emit: Emit): Undo {
  const matched = new Map<string, string>()
  // Hooks at work, and those of them that went on in the background, by their job: their end has no verdict that names them.
  const begun = new Map<string, Started>()
  const working = new Map<string, Started>()
  const nameOf = (callId: string) => {
    const value = matched.get(callId)
    return value === undefined ? {} : { matched: value }
  }
  return trace.subscribe((line: TraceLine) => {
    if (line.kind === 'fired') {
      const value = line.selected === 0 ? undefined : matchedIn(line.event, line.input)
      if (value !== undefined) matched.set(line.callId, value)
    } else if (line.kind === 'started') {
      const status = line.statusMessage === undefined ? {} : { statusMessage: line.statusMessage }
      const started = { callId: line.callId, hook: line.hook, event: line.event, ...nameOf(line.callId) }
      begun.set(`${line.callId} ${line.hook.id}`, started)
      emit({ kind: 'hook-start', ...started, ...status })
    } else if (line.kind === 'ended') {
      const key = `${line.callId} ${line.hook}`
      const started = begun.get(key)
      begun.delete(key)
      if (line.ending.kind === 'deferred' && started !== undefined) working.set(line.ending.jobId, started)
    } else if (line.kind === 'output')
      emit({ kind: 'hook-output', callId: line.callId, hook: line.hook, event: line.event, stream: line.stream, text: line.text })
    else if (line.kind === 'verdict') {
      tellVerdict(line.verdict, { emit, event: line.event, matched: matched.get(line.callId) })
      matched.delete(line.callId)
    } else if (line.kind === 'late') {
      const { late, outcome, stdout = '', stderr = '', ms } = line
      const started = working.get(late.jobId)
      working.delete(late.jobId)
      if (started !== undefined) emit({ ...started, kind: 'hook-end', background: true, ending: late.ending, outcome, stdout, stderr, ms })
      // One that the end of the session cut off is no news.
      if (late.toUser !== '' && late.ending.kind !== 'aborted') emit({ kind: 'notice', level: 'info', text: late.toUser })
    }
  })
}

type Started = Pick<Extract<AgentEvent, { kind: 'hook-end' }>, 'callId' | 'hook' | 'event' | 'matched'>

interface Telling {
  readonly emit: Emit
  readonly event: string
  readonly matched: string | undefined
}

function tellVerdict(verdict: Verdict, { emit, event, matched }: Telling): void {
  for (const report of verdict.hooks) {
    const started = { callId: verdict.callId, hook: report, event, ...(matched === undefined ? {} : { matched }) }
    if (report.status === 'skipped') {
      if (report.skipped.why !== 'handler-not-allowed') continue
      const value = matched ?? matchedIn(event, verdict.input)
      emit({ kind: 'hook-unfit', ...started, ...(value === undefined ? {} : { matched: value }), why: report.skipped.detail })
      continue
    }
    const { ending, outcome, stdout = '', stderr = '', ms } = report as Extract<HookReport, { status: 'ran' }>
    emit({ kind: 'hook-end', ...started, ending, outcome, stdout, stderr, ms })
  }
  for (const message of verdict.messages) {
    if (message.to !== 'user') continue
    const text = message.level === 'info' ? `${hookName(event, matched)} says: ${message.text}` : message.text
    emit({ kind: 'notice', level: message.level, text })
  }
  if (verdict.terminalSequence !== undefined) emit({ kind: 'terminal', sequence: verdict.terminalSequence })
}
