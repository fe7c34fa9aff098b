/** Reads a model's verdict on an event: `{ok, reason?, impossible?}`, the whole reply or nothing (protocol §2.5, design decision 5). */
import type { RawResult } from '../protocol/runner.ts'
import { keepStricter } from './duplicate-keys.ts'
import { permissionPower, sayBehavior } from './read-decision.ts'
import { fieldsOf, flagField, isObject, nearest, say, shownText, textField } from './read-fields.ts'
import type { Reading } from './read-reading.ts'

/** How the hook that asked the model wants its "no" to be taken. */
export interface JudgementOptions {
  /** A "no" never ends the turn: `continueOnBlock`, or an agent hook. */
  readonly continues: boolean
}

const known: ReadonlySet<string> = new Set(['ok', 'reason', 'impossible'])

/** Reads the verdict into the words. `ok: true` is no decision: it never skips a rule. */
export function readJudgement(raw: RawResult, reading: Reading, { continues }: JudgementOptions): void {
  const fields = verdictOf(raw, reading)
  if (fields === undefined) return
  const ok = fields.get('ok')
  const impossible = flagField(fields, 'impossible', reading)
  const reason = textField(fields, 'reason', reading)
  if (typeof ok !== 'boolean') {
    reading.fault(`the model's "ok" must be true or false, not ${ok === undefined ? 'absent' : say(ok)}`)
    return
  }
  for (const key of [...fields.keys()].filter((one) => !known.has(one)).slice(0, 5)) {
    const meant = nearest(key, known)
    reading.warn('unknown-key', `got ${say(key)} from its model, which is not known`, meant === undefined ? {} : { hint: `Did you mean "${meant}"?` })
  }
  reading.judged = { kind: 'judged', ok, ...(reason === undefined || reason === '' ? {} : { reason: shownText(reason, 'reason', reading) }) }
  if (ok) return
  if (impossible === true) {
    // What cannot be reached must not keep an agent going for ever.
    if (reading.row.contextResumes) return
    reading.warn('no-effect', `got "impossible" from its model, which has no effect on ${reading.row.name}`)
  }
  if (reason === undefined || reason === '') reading.warn('no-reason', 'got a no without a reason from its model')
  refuse(reading.judged.reason ?? '', reading, continues)
}

function refuse(reason: string, reading: Reading, continues: boolean): void {
  const { row, words } = reading
  const power = permissionPower(row)
  if (power !== undefined && power !== 'grant') sayBehavior('deny', reason, reading)
  else if (reading.has('block')) words.block = reason
  else reading.warn('no-effect', `got a no from its model, which has no effect on ${row.name}`)
  if (row.judgedEnds === 'always' || (row.judgedEnds === 'unless-continued' && !continues)) words.stop = reason
}

function verdictOf(raw: RawResult, reading: Reading): Map<string, unknown> | undefined {
  if (raw.ending.kind === 'judged') return new Map<string, unknown>(Object.entries(raw.ending).filter(([key, value]) => key !== 'kind' && value !== undefined))
  if (isObject(raw.value)) return fieldsOf(raw.value)
  const text = unfenced((raw.stdout ?? '').trim())
  if (!text.startsWith('{') || !isJsonObject(text)) {
    reading.fault("the model's reply must be one JSON object and nothing else")
    return undefined
  }
  const { value, repeated } = keepStricter(text, reading.row.name)
  if (repeated.includes('ok')) reading.warn('duplicate-key', 'got "ok" more than once from its model; the stricter one counts')
  return fieldsOf(value)
}

/** The text inside one surrounding Markdown fence. */
function unfenced(text: string): string {
  const firstBreak = text.indexOf('\n')
  if (firstBreak === -1 || text.length < 7 || !/^```[a-z]*\s*$/i.test(text.slice(0, Math.min(firstBreak, 40))) || !text.endsWith('```')) return text
  return text.slice(firstBreak + 1, -3).trim()
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}
