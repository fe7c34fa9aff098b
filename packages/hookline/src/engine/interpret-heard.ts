/** Listens to a run that ended by itself: text, JSON, a returned value or a model's verdict become words, or a failure. */
import type { RawResult } from '../protocol/runner.ts'
import { wireKeys } from '../protocol/wire-keys.ts'
import type { Words } from '../protocol/words.ts'
import { cleanText } from './clean-text.ts'
import type { Failure } from './interpret-failure.ts'
import { readValue } from './read-answer.ts'
import { depthLimit } from './read-json.ts'
import { readJudgement } from './read-judgement.ts'
import { type Output, readOutput } from './read-output.ts'
import { denies, type Reading, settle, withoutPermissive } from './read-reading.ts'
import { type ReadingContext, readWire } from './read-wire.ts'
import { pathIn } from './read-worktree.ts'

/** What a run amounts to before the row's own rules. */
export interface Heard {
  readonly words: Words
  readonly failure?: Failure
  /** Exit code 2 where the step is already done: the hook objected, and the model hears it. */
  readonly fedBack?: true
}

/** How to listen. */
export interface Listening {
  /** The failure that the exit code means, should nothing valid have been said. */
  readonly ended: Failure | undefined
  readonly failClosed: boolean
  readonly continueOnBlock: boolean | undefined
  readonly type: string
  readonly context: ReadingContext
}

const malformed = (sentence: string): Failure => ({ code: 'malformed', sentence })

/** Listens to one run. Exit code 2 is the caller's: here it is a code like any other that permits nothing. */
export function hear(raw: RawResult, reading: Reading, listening: Listening): Heard {
  const { type, failClosed, context } = listening
  if (raw.ending.kind === 'judged' || type === 'prompt' || type === 'agent') {
    if (raw.cut !== undefined) reading.fault("the model's reply was cut")
    readJudgement(raw, reading, { continues: type === 'agent' || listening.continueOnBlock === true })
    return settled(reading, { failClosed })
  }
  tellCut(raw, reading)
  if (raw.value !== undefined) {
    readValue(raw.value, reading, context)
    return settled(reading, { failClosed })
  }
  const output = readOutput(raw.stdout ?? '', reading.row.name, reading.parsed)
  const heard = raw.ending.kind === 'replied' ? hearBody(raw, output, { reading, listening }) : hearText(raw, output, { reading, listening })
  const unclear =
    failClosed && heard.failure === undefined && !denies(heard.words) ? (unclearFor(raw, output, listening) ?? unclearTool(output, reading, type)) : undefined
  return unclear === undefined ? heard : { words: heard.words, failure: unclear }
}

interface Ears {
  readonly reading: Reading
  readonly listening: Listening
}

function hearText(raw: RawResult, output: Output, { reading, listening }: Ears): Heard {
  const { row } = reading
  const { ended } = listening
  if (row.discards === 'all' && output.kind !== 'object') return ended === undefined ? { words: {} } : { words: {}, failure: ended }
  switch (output.kind) {
    case 'object':
      return hearObject(raw, output, { reading, listening })
    case 'empty':
      return ended === undefined ? { words: {} } : { words: {}, failure: ended }
    case 'broken':
      return { words: {}, failure: ended ?? malformed(`printed ${output.why}`) }
    case 'text':
      tellLost(output, reading)
      if (ended !== undefined) return { words: {}, failure: ended }
      if (row.stdout === 'path') return { words: { worktreePath: pathIn(output.text) } }
      return { words: row.stdout === 'context' && exitedWell(raw) ? { context: cleanText(output.text) } : {} }
  }
}

/** Text of a hook that ends with another code than 0 never becomes context. */
function exitedWell(raw: RawResult): boolean {
  return raw.ending.kind !== 'exited' || raw.ending.code === 0
}

/** An HTTP answer: one JSON object, or an empty body, which stands for `{}` (design decision 9). */
function hearBody(raw: RawResult, output: Output, ears: Ears): Heard {
  if (output.kind === 'object') {
    const heard = hearObject(raw, output, ears)
    return raw.cut === undefined || heard.failure !== undefined
      ? heard
      : { words: denies(heard.words) ? heard.words : {}, failure: malformed('gave an answer that was cut off') }
  }
  if (raw.cut !== undefined) return { words: {}, failure: malformed('gave an answer that was cut off') }
  if (output.kind === 'empty') return { words: {} }
  return { words: {}, failure: malformed(output.kind === 'broken' ? `answered with ${output.why}` : 'answered with text; only a JSON object is read') }
}

function hearObject(raw: RawResult, output: Output & { kind: 'object' }, { reading, listening }: Ears): Heard {
  reading.source = output.text
  readWire(output.value, reading, listening.context)
  // JSON outweighs a code other than 0 and 2, save where it is not read or where any such code fails the step.
  const { row } = reading
  if (listening.ended !== undefined && (row.discards === 'all' || row.failClosed === 'always'))
    return { words: withoutPermissive(reading.words), failure: listening.ended }
  if (output.repeated.length > 0) {
    const named = output.repeated.map((key) => `"${key}"`).join(', ')
    reading.warn('duplicate-key', `gave ${named} more than once; the stricter one counts`)
  }
  return settled(reading, { failClosed: listening.failClosed, doubt: doubtOf(raw, output) })
}

/** Why what permits does not count, though the object itself is readable (design decision 4). */
export function doubtOf(raw: RawResult, output: Output & { kind: 'object' }): string | undefined {
  if (raw.ending.kind === 'exited' && raw.ending.code !== 0) return `it ended with code ${raw.ending.code}`
  if (raw.notUtf8) return 'its output is not UTF-8'
  if (raw.cut === 'stdout' || raw.cut === 'body') return 'its output was cut'
  if (output.contradicts) return 'it says two different things at once'
  if (output.depth > depthLimit) return `its answer nests deeper than ${depthLimit} levels`
  return undefined
}

function settled(reading: Reading, { failClosed, doubt }: { failClosed: boolean; doubt?: string | undefined }): Heard {
  const { words, failure } = settle(reading, { doubt, strict: failClosed })
  return failure === undefined ? { words } : { words, failure: malformed(failure) }
}

/** What an ordinary hook may do and one that fails closed may not (design decision 6). */
function unclearFor(raw: RawResult, output: Output, { ended }: Listening): Failure | undefined {
  if (ended !== undefined) return ended
  if (raw.notUtf8) return malformed('printed bytes that are not UTF-8')
  if (raw.cut === 'stdout') return malformed('printed more than is kept')
  if ('braced' in output && output.braced) return malformed('printed text that starts with "{" and is not one JSON object')
  return undefined
}

/** A tool that guards must answer in the words of hooks, or say nothing (protocol §2.8). */
function unclearTool(output: Output, { row }: Reading, type: string): Failure | undefined {
  if (type !== 'mcp_tool' || row.answersInText || row.stdout === 'path') return undefined
  if (output.kind === 'text') return malformed('answered with text, where a hook that fails closed answers with a JSON object')
  if (output.kind !== 'object') return undefined
  const keys = Object.keys(output.value)
  return keys.length === 0 || keys.some((key) => wireKeys.has(key) || key === 'terminalSequence')
    ? undefined
    : malformed('answered with an object that no hook would give')
}

function tellCut(raw: RawResult, reading: Reading): void {
  if (raw.cut !== undefined) {
    reading.warn('output-cut', `wrote more to ${raw.cut === 'body' ? 'its answer' : raw.cut} than is kept; the rest was dropped`, { tell: true })
  }
  if (raw.notUtf8) reading.warn('not-utf8', 'wrote bytes that are not UTF-8; each was replaced')
}

function tellLost(output: Output & { kind: 'text' }, reading: Reading): void {
  if (output.answerAt === undefined) return
  const where = output.answerAt === 'start' ? 'followed by other text' : 'with other text around it'
  reading.warn('lost-answer', `printed a JSON answer ${where}; it was read as text and decides nothing`, {
    tell: true,
    hint: 'Print the JSON object alone; write everything else to stderr.',
  })
}
