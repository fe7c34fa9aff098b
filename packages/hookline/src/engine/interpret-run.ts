/** From a run described in words (`try output`, `interpretAnswer`) to the raw result that a handler would hand back. */
import { HooklineError } from '../errors.ts'
import type { RawResult } from '../protocol/runner.ts'

/** What a handler did. A command has `exit` and streams, an http hook `status` and `body`, a prompt hook `modelText`. */
export interface Run {
  /** As the system gave it: no value of it is read as another one. */
  exit?: number | null
  stdout?: string | null
  stderr?: string | null
  signal?: string | null
  timedOut?: boolean
  /** The code of the error that kept it from starting, for example "ENOENT". */
  spawnError?: string
  /** Its stdout as bytes in hexadecimal, where it is not UTF-8. */
  stdoutHex?: string
  /** A long output: prefix, then `repeat` so many times, then suffix. It is never built beyond what would be kept. */
  generate?: { prefix?: string; repeat: string; times: number; suffix?: string }
  /** The code that the script passed to `exit`; the system keeps its lowest eight bits. */
  shellExit?: number
  stdinClosedEarly?: boolean
  engineAborted?: boolean
  async?: boolean
  asyncRewake?: boolean
  status?: number | null
  body?: string | null
  contentType?: string | null
  contentEncoding?: string | null
  location?: string | null
  networkError?: string
  /** The body ended before its stated length. */
  truncated?: boolean
  modelText?: string | null
}

/** What is kept of an output, in bytes (design decision 18). */
const keptBytes = 1_048_576

/** Makes the raw result. What cannot be part of a run is the caller's mistake. */
export function rawOf(run: Run, hookType: string): RawResult {
  checkRun(run)
  const http = run.status !== undefined || run.body !== undefined || run.networkError !== undefined || hookType === 'http'
  const model = run.modelText !== undefined && run.modelText !== null
  const said = model ? { text: run.modelText ?? '', over: false } : outputOf(http ? { stdout: run.body, generate: run.generate } : run)
  const stderr = run.stderr ?? ''
  const raw: { -readonly [key in keyof RawResult]: RawResult[key] } = { ending: endingOf(run, { http, model, over: said.over }), stdout: said.text }
  if (!http && !model) raw.stderr = stderr
  if (said.notUtf8) raw.notUtf8 = true
  if (said.over || run.truncated) raw.cut = http ? 'body' : 'stdout'
  return raw
}

function endingOf(run: Run, { http, model, over }: { http: boolean; model: boolean; over: boolean }): RawResult['ending'] {
  if (run.engineAborted) return { kind: 'aborted' }
  if (run.timedOut) return { kind: 'timedOut', afterMs: 0 }
  if (run.spawnError !== undefined) return { kind: 'unspawnable', why: run.spawnError }
  if (run.networkError !== undefined) return { kind: 'unspawnable', why: run.networkError }
  if (run.signal) return { kind: 'signalled', signal: run.signal }
  if (over) return { kind: 'overflowed', stream: http ? 'body' : 'stdout', limit: keptBytes }
  if (model) return { kind: 'returned' }
  if (http) return typeof run.status === 'number' ? { kind: 'replied', status: run.status } : { kind: 'threw', error: 'no answer came' }
  if (typeof run.exit === 'number') return { kind: 'exited', code: run.exit }
  if (typeof run.shellExit === 'number') return { kind: 'exited', code: run.shellExit & 0xff }
  // No exit code is ever invented: a run whose code is known to be missing failed.
  return run.exit === null ? { kind: 'threw', error: 'nobody knows how it ended' } : { kind: 'returned' }
}

interface Said {
  readonly text: string
  readonly over: boolean
  readonly notUtf8?: boolean
}

function outputOf({
  stdout,
  stdoutHex,
  generate,
}: {
  stdout?: string | null | undefined
  stdoutHex?: string | undefined
  generate?: Run['generate'] | undefined
}): Said {
  if (stdoutHex !== undefined) {
    const bytes = new Uint8Array(Math.floor(stdoutHex.length / 2))
    for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(stdoutHex.slice(at * 2, at * 2 + 2), 16)
    return capped(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), !isUtf8(bytes))
  }
  if (generate === undefined) return capped(stdout ?? '', false)
  const { prefix = '', repeat, times, suffix = '' } = generate
  const room = Math.max(0, keptBytes + 1 - prefix.length)
  const count = Math.min(times, repeat.length === 0 ? 0 : Math.ceil(room / repeat.length))
  return capped(`${prefix}${repeat.repeat(count)}${count === times || repeat.length === 0 ? suffix : ''}`, false)
}

function capped(text: string, notUtf8: boolean): Said {
  if (text.length * 3 <= keptBytes) return { text, over: false, notUtf8 }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= keptBytes) return { text, over: false, notUtf8 }
  // In streaming mode a character that the cut splits is left out instead of replaced.
  return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, keptBytes), { stream: true }), over: true, notUtf8 }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

const texts: ReadonlySet<string> = new Set(['stdout', 'stderr', 'signal', 'spawnError', 'stdoutHex', 'body', 'networkError', 'modelText'])
const numbers: ReadonlySet<string> = new Set(['exit', 'shellExit', 'status'])

/** Says which field of a described run is not usable. */
function checkRun(run: Run): void {
  const wrong = (field: string, what: string): never => {
    throw new HooklineError('invalid-option', `interpretAnswer: run.${field} must be ${what}.`)
  }
  for (const field in run) {
    const value = run[field as keyof Run]
    if (value === null || value === undefined) continue
    if (typeof value !== 'string' && texts.has(field)) wrong(field, 'a string')
    if (!Number.isInteger(value) && numbers.has(field)) wrong(field, 'a whole number')
  }
  if (run.stdoutHex !== undefined && !/^(?:[\da-f]{2})*$/i.test(run.stdoutHex)) wrong('stdoutHex', 'pairs of hexadecimal digits')
  const { generate } = run
  if (generate === undefined) return
  const usable =
    typeof generate === 'object' && generate !== null && typeof generate.repeat === 'string' && Number.isInteger(generate.times) && generate.times >= 0
  if (!usable) wrong('generate', 'an object with repeat (a string) and times (a whole number)')
}
