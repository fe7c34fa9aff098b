/** Turns what was recorded of a run into the shape in which the observed sessions were written down. */
import type { LogEntry, Recorded, Run } from './play.ts'
import type { Observed, SeenHook, SeenResult } from './row.ts'
import { textOf, type WireBlock } from './servers/model.ts'

// Fields that every event has; rows leave them out.
const common = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'prompt_id', 'permission_mode', 'effort', 'scratchpad_dir']

type Line = Record<string, unknown>

/** Our session in the words of the rows. `hookOutcomes` is sorted, as there. */
export function observe(recorded: Recorded): Observed & { texts: { call: string; text: string }[]; outputs: Record<string, string> } {
  const clean = cleaner(recorded)
  const entries = recorded.log.filter((entry) => entry.mode !== 'end')
  const hooks = sortParallel(entries.map((entry) => seenHook(entry, clean)))
  const lines = recorded.runs.flatMap((run) => jsonLines(run.stdout))
  const { texts, toolResults, outputs } = readCalls(recorded, clean)
  return {
    hooks,
    fired: hooks.map(firedName),
    hookOutcomes: lines
      .filter((line) => line['subtype'] === 'hook_response')
      .map(outcomeName)
      .sort(),
    toolResults,
    denied: recorded.runs.flatMap((run) => denials(jsonLines(run.stdout))),
    textToModel: texts.map(({ call, text }) => `${call}: ${text}`),
    requests: recorded.calls.map((call) => call.route),
    noVerdictNotices: 0,
    userNotices: [],
    final: recorded.runs.map((run) => ({ exit: run.exit, results: results(run), ...(run.stderr === '' ? {} : { stderr: clean(run.stderr) }) })),
    http: [...recorded.http],
    after: Object.fromEntries(Object.entries(recorded.after).map(([name, text]) => [name, typeof text === 'string' ? clean(text) : text])),
    texts,
    outputs,
  }
}

/** Replaces what differs from run to run: folders, ports, ids. */
function cleaner(recorded: Recorded): (text: string) => string {
  const { root, proj, home } = recorded.stage
  const ids = new Map<string, string>()
  return (text) =>
    text
      .replaceAll(/\/[^\s"']*\/transcripts\/[^/\s"']+/g, '<TRANSCRIPTS>')
      .replaceAll(proj, '<PROJ>')
      .replaceAll(home, '<HOME>')
      .replaceAll(root, '<ROOT>')
      .replaceAll(`127.0.0.1:${recorded.ports.model}`, '127.0.0.1:8787')
      .replaceAll(`127.0.0.1:${recorded.ports.hooks}`, '127.0.0.1:8788')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => {
        if (!ids.has(id)) ids.set(id, `<UUID${ids.size + 1}>`)
        return ids.get(id) as string
      })
}

function seenHook(entry: LogEntry, clean: (text: string) => string): SeenHook {
  const tag = clean(entry.tag)
  if (entry.stdin === undefined || entry.stdin.trim() === '') return { tag }
  let input: Line
  try {
    input = JSON.parse(clean(entry.stdin))
  } catch {
    return { tag, event: '(no JSON)' }
  }
  const own = Object.fromEntries(Object.entries(input).filter(([key]) => !common.includes(key)))
  return { tag, event: String(input['hook_event_name']), input: own }
}

const shortId = (id: unknown): string => `#${String(id).replace('toolu_fake_', '')}`

export function firedName(hook: SeenHook): string {
  if (hook.event === undefined) return hook.tag
  const id = hook.input?.['tool_use_id']
  const agent = hook.input?.['agent_id'] === undefined ? '' : ' @agent'
  return `${hook.tag === hook.event ? hook.tag : `${hook.tag}<${hook.event}>`}${id === undefined ? '' : ` ${shortId(id)}`}${agent}`
}

/** Hooks of one firing run side by side: they are listed by tag. */
function sortParallel(hooks: SeenHook[]): SeenHook[] {
  const key = (hook: SeenHook): string => `${hook.event} ${hook.input?.['tool_use_id']} ${hook.input?.['agent_id']}`
  const sorted: SeenHook[] = []
  for (let at = 0; at < hooks.length; ) {
    let end = at + 1
    const first = hooks[at] as SeenHook
    while (first.event !== undefined && end < hooks.length && key(hooks[end] as SeenHook) === key(first) && hooks[end]?.tag !== first.tag) end++
    sorted.push(...hooks.slice(at, end).sort((a, b) => (a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : 0)))
    at = end
  }
  return sorted
}

export function jsonLines(text: string): Line[] {
  const lines: Line[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue
    try {
      lines.push(JSON.parse(line))
    } catch {
      // A line that is no JSON is counted nowhere; the result line then is missing and the row fails.
    }
  }
  return lines
}

const outcomeName = (line: Line): string => `${line['hook_name']} ${line['outcome']} ${line['exit_code'] ?? '-'}`

function denials(lines: Line[]): string[] {
  const last = lines.filter((line) => line['type'] === 'result').at(-1)
  return ((last?.['permission_denials'] as { tool_use_id: string }[] | undefined) ?? []).map((denial) => shortId(denial.tool_use_id))
}

function results(run: Run): SeenResult[] {
  return jsonLines(run.stdout)
    .filter((line) => line['type'] === 'result')
    .map((line) => ({
      subtype: String(line['subtype']),
      error: line['is_error'] === true,
      ...(line['terminal_reason'] === undefined ? {} : { reason: String(line['terminal_reason']) }),
      stop: (line['stop_reason'] as string | null | undefined) ?? null,
      text: String(line['result'] ?? ''),
    }))
}

/** What each request said that no earlier request of the same conversation had said, and what the model got back from tools. */
function readCalls(recorded: Recorded, clean: (text: string) => string) {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  const texts: { call: string; text: string }[] = []
  const toolResults: Observed['toolResults'] = []
  const outputs: Record<string, string> = {}
  for (const { route, body } of recorded.calls) {
    const at = counts.get(route) ?? 0
    counts.set(route, at + 1)
    // Conversations of one route are told apart by how they begin, blocks by where they stand: the same words may be said twice.
    const conversation = `${route} ${textOf(body.messages[0]?.content)}`
    body.messages.forEach((message, place) => {
      const blocks: WireBlock[] = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
      blocks.forEach((block, index) => {
        const text = clean(textOf([block]))
        const key = `${conversation} ${place}.${index} ${text}`
        if (message.role !== 'user' || seen.has(key)) return
        seen.add(key)
        texts.push({ call: `${route}#${at} user`, text })
        if (block.type !== 'tool_result') return
        const id = shortId(block.tool_use_id)
        if (outputs[id] !== undefined) return
        outputs[id] = text
        toolResults.push({ for: id, error: block.is_error === true, text })
      })
    })
  }
  return { texts, toolResults, outputs }
}
