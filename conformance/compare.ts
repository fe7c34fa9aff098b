/** Compares our session with an observed one: behaviour, not wording. Every difference is one line. */
import type { observe } from './observe.ts'
import { firedName } from './observe.ts'
import type { Observed, Row, SeenHook } from './row.ts'

type Ours = ReturnType<typeof observe>

/** The differences between `ours` and what `row` expects; empty when it passes. */
export function compare(row: Row, expected: Observed, ours: Ours): string[] {
  const differences: string[] = []
  const say = (what: string, theirs: unknown, our: unknown): void => {
    differences.push(`${what}: expected ${short(theirs)}, ours ${short(our)}`)
  }
  const same = (what: string, theirs: unknown, our: unknown): void => {
    if (!equal(theirs, our)) say(what, theirs, our)
  }
  compareFired(row, expected, ours, say)
  const failed = new Set(expected.toolResults.filter((result) => result.error).map((result) => result.for))
  compareInputs(worded(expected.hooks, failed), worded(ours.hooks, failed), say)
  same('outcomes', expected.hookOutcomes.map(outcomeOnly).sort(), ours.hookOutcomes.map(outcomeOnly).sort())
  same('denied', expected.denied, ours.denied)
  // How often a provider that fails is asked again is each agent's own.
  const turns = [...row.case.modelTurns, ...(row.case.routes ?? []).flatMap((route) => route.turns)]
  if (!turns.some((turn) => typeof turn === 'object' && 'status' in turn)) same('requests', expected.requests, ours.requests)
  compareToolResults(row, expected, ours, say)
  compareTexts(row, expected, ours, say)
  compareFinal(row, expected, ours, say)
  if (expected.http !== undefined) same('http requests', expected.http, ours.http)
  for (const [name, text] of Object.entries(expected.after ?? {})) same(`file ${name}`, plain(text), plain(ours.after?.[name]))
  return differences
}

type Say = (what: string, theirs: unknown, ours: unknown) => void

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

/** Deep equality that knows nothing of key order. */
export function equal(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

// How the rows write a text whose words are the observed agent's own.
const anyText = '<subagent hand-back text>'

/** `b` with every text that the row does not spell out replaced by the row's mark. */
function withMarks(a: unknown, b: unknown): unknown {
  if (a === anyText && typeof b === 'string') return a
  if (Array.isArray(a) && Array.isArray(b)) return b.map((item, at) => withMarks(a[at], item))
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || Array.isArray(b)) return b
  return Object.fromEntries(Object.entries(b).map(([key, item]) => [key, withMarks((a as Record<string, unknown>)[key], item)]))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort()
    return `{${keys.map((key) => `${key}:${canonical((value as Record<string, unknown>)[key])}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'undefined'
}

const outcomeOnly = (line: string): string => line.split(' ').slice(0, -1).join(' ')

/** Order counts, save between calls that the model asked for at once: those run side by side. */
function compareFired(row: Row, expected: Observed, ours: Ours, say: Say): void {
  if (equal(expected.fired, ours.fired)) return
  const sideBySide = [...row.case.modelTurns, ...(row.case.routes ?? []).flatMap((route) => route.turns)].some(
    (turn) => Array.isArray(turn) && turn.filter((block) => 'tool' in block).length > 1,
  )
  if (sideBySide) {
    const lanes = (hooks: SeenHook[]): string[] => hooks.map((hook) => `${firedName(hook)}`).sort()
    if (equal(lanes(expected.hooks), lanes(ours.hooks))) return
  }
  say('fired', expected.fired, ours.fired)
}

// What depends on the clock, the model's bill or on internals that no hook can rely on.
const volatile = new Set([
  'duration_ms',
  'durationMs',
  'totalDurationMs',
  'totalTokens',
  'usage',
  'toolStats',
  'resolvedModel',
  'agentId',
  'agent_id',
  'agent_transcript_path',
  'estimated_cache_write_usd',
  'seconds_since_last_response',
  'context_tokens',
  'prompt_cache_likely_expired',
])
const internal = /^harness|^toolsUsed$/

/** What a batch tells of a call that did not run is each agent's own wording. */
function worded(hooks: readonly SeenHook[], failed: ReadonlySet<string>): SeenHook[] {
  return hooks.map((hook) => {
    const calls = hook.input?.['tool_calls']
    if (!Array.isArray(calls)) return hook
    const plain = calls.map((call: Record<string, unknown>) => {
      const { tool_response: _, ...rest } = call
      return failed.has(`#${String(call['tool_use_id']).replace('toolu_fake_', '')}`) ? rest : call
    })
    return { ...hook, input: { ...hook.input, tool_calls: plain } }
  })
}

function compareInputs(expected: readonly SeenHook[], ours: readonly SeenHook[], say: Say): void {
  const left = [...ours]
  for (const hook of expected) {
    const at = left.findIndex((one) => firedName(one) === firedName(hook))
    if (at === -1) continue
    const [mine] = left.splice(at, 1)
    const theirs = stable(hook.input)
    const our = withMarks(theirs, stable(mine?.input))
    if (!equal(theirs, our) && !isCut(hook.input)) say(`input of ${firedName(hook)}`, ...difference(theirs, our))
  }
}

/** Only the keys that differ, so that a line can be read. */
function difference(a: unknown, b: unknown): [unknown, unknown] {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) || Array.isArray(b)) return [a, b]
  const left: Record<string, unknown> = {}
  const right: Record<string, unknown> = {}
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [one, two] = [(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]
    if (equal(one, two)) continue
    ;[left[key], right[key]] = difference(one, two)
  }
  return [left, right]
}

const cut = /…\(\d+ characters\)/

const isCut = (value: unknown): boolean => cut.test(JSON.stringify(value) ?? '')

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isToolsNote(item)).map(stable)
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? value.replaceAll(/<(UUID\d*|AID|SHA|H)>|\ba[0-9a-f]{16,}\b/g, '<id>') : value
  const kept = Object.entries(value).filter(([key]) => !volatile.has(key) && !internal.test(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, stable(item)]))
}

/** A note that the observed agent adds for itself in front of a subagent's answer. */
const isToolsNote = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'text' in item && String((item as { text: unknown }).text).startsWith('<tools-used-before-summary>')

// Words that only hooks of a row say: TEXT-LIKE-THIS, R-deny. What the model or the prompt says too proves nothing.
const marker = /\b[A-Z][A-Z0-9]*-[A-Za-z0-9-]+\b|\b[A-Z][A-Z0-9]{2,}\b/g

// Stand-ins for folders, and names of variables.
const ourOwn = new Set(['ROOT', 'PROJ', 'HOME', 'PATH', 'TERM'])

function markers(row: Row): Set<string> {
  const { settings, files, homeFiles, http, flags } = row.case
  const said = JSON.stringify([row.case.prompt, row.case.runs, row.case.stdin, row.case.modelTurns, row.case.routes])
  const words = JSON.stringify([settings, files, homeFiles, http, flags]).match(marker) ?? []
  return new Set(words.filter((word) => !said.includes(word) && !ourOwn.has(word)))
}

/** The commands of the row's hooks, longest first: a label that quotes one says nothing about what the hook said. */
function commands(value: unknown, found: string[] = []): string[] {
  if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'command' && typeof item === 'string') found.push(item)
      else commands(item, found)
    }
  }
  return found.sort((a, b) => b.length - a.length)
}

function heard(row: Row, words: ReadonlySet<string>, text: string): string[] {
  let rest = text
  for (const command of commands(row.case.settings)) rest = rest.replaceAll(command, '')
  return [...words].filter((word) => new RegExp(`(^|[^A-Za-z0-9-])${word}($|[^A-Za-z0-9-])`).test(rest)).sort()
}

/** Every expected word must be there; a word more is a difference too, unless what was observed was cut. */
function sameWords(row: Row, what: string, texts: { theirs: string; ours: string }, say: Say): void {
  const words = markers(row)
  const theirs = heard(row, words, texts.theirs)
  const ours = heard(row, words, texts.ours)
  const missing = theirs.filter((word) => !ours.includes(word))
  const added = ours.filter((word) => !theirs.includes(word))
  if (missing.length > 0 || (added.length > 0 && !cut.test(texts.theirs))) say(what, theirs, ours)
}

function compareToolResults(row: Row, expected: Observed, ours: Ours, say: Say): void {
  for (const theirs of expected.toolResults) {
    const mine = ours.toolResults.find((result) => result.for === theirs.for)
    if (mine === undefined) {
      say(`result of ${theirs.for}`, theirs, 'nothing')
      continue
    }
    if (theirs.error !== mine.error) say(`result of ${theirs.for} is an error`, [theirs.error, theirs.text], [mine.error, mine.text])
    sameWords(row, `words of the result of ${theirs.for}`, { theirs: theirs.text, ours: mine.text }, say)
  }
  const extra = ours.toolResults.filter((result) => !expected.toolResults.some((theirs) => theirs.for === result.for))
  if (extra.length > 0) say('results', [], extra)
}

/** Per request: which of the hooks' words reached the model with it. */
function compareTexts(row: Row, expected: Observed, ours: Ours, say: Say): void {
  const theirTexts = expected.textToModel.map((line) => ({ call: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(': ') + 2) }))
  const ourTexts = ours.texts.map(({ call, text }) => ({ call: call.slice(0, call.indexOf(' ')), text }))
  const theirs = byCall(withoutResults(theirTexts, expected.toolResults))
  const mine = byCall(withoutResults(ourTexts, ours.toolResults))
  for (const call of new Set([...theirs.keys(), ...mine.keys()]))
    sameWords(row, `words that reach the model with ${call}`, { theirs: theirs.get(call) ?? '', ours: mine.get(call) ?? '' }, say)
}

type Told = { call: string; text: string }

/** Results of tools are compared for themselves. */
function withoutResults(texts: readonly Told[], results: Observed['toolResults']): Told[] {
  const said = new Set(results.map((result) => result.text))
  return texts.filter(({ text }) => !said.has(text))
}

function byCall(texts: readonly { call: string; text: string }[]): Map<string, string> {
  const calls = new Map<string, string>()
  for (const { call, text } of texts) calls.set(call, `${calls.get(call) ?? ''}\n${text}`)
  return calls
}

function compareFinal(row: Row, expected: Observed, ours: Ours, say: Say): void {
  if (expected.final.length !== ours.final.length) say('runs', expected.final.length, ours.final.length)
  expected.final.forEach((theirs, at) => {
    const mine = ours.final[at]
    if (mine === undefined) return
    if (theirs.exit !== mine.exit) say('exit code', theirs.exit, [mine.exit, mine.stderr ?? ''])
    const shape = (result: (typeof theirs.results)[number]) => [result.subtype, result.error, result.reason ?? null, result.stop ?? null]
    const [a, b] = [theirs.results.map(shape), mine.results.map(shape)]
    if (!equal(a, b)) say('results', a, [b, mine.stderr ?? ''])
    theirs.results.forEach((result, index) => {
      const our = mine.results[index]?.text ?? ''
      if (result.error) return
      if (JSON.stringify(row.case.modelTurns).includes(JSON.stringify(result.text).slice(1, -1)) && result.text.trim() !== our.trim())
        say('result text', result.text, our)
      else sameWords(row, 'words of the result text', { theirs: result.text, ours: our }, say)
    })
  })
}

const plain = (value: unknown): unknown => (typeof value === 'object' && value !== null ? 'missing' : value)
