/** What a row of the event table says, in sentences that the schema and the pages share. */
import type { NamedRow } from '../../packages/hookline/src/protocol/events.ts'
import type { Field } from '../../packages/hookline/src/protocol/fields.ts'
import { defaultTimeout, type EventRow, type Reader } from '../../packages/hookline/src/protocol/row.ts'
import { handlerSays, type SettingsType } from './handler-words.ts'
import { codes, either, seconds } from './markdown.ts'

const readers: Record<Reader, string> = { model: 'the model', user: 'the person', nobody: 'nobody' }

/** The handler types that settings may use for this event. */
export const settingsTypes = (row: EventRow): SettingsType[] => row.handlers.filter((type) => Object.hasOwn(handlerSays, type)) as SettingsType[]

/** The values a matcher will usually see. */
export const knownValues = (row: EventRow): readonly string[] => (row.match === undefined ? [] : (row.input[row.match]?.values ?? []))

/** Who may answer. */
export function handlersFact(row: NamedRow): string {
  if (row.internal) return 'Hooks in code.'
  const late = Object.entries(row.notAt ?? {}).map(([type, values]) => ` Not \`${type}\` when \`${row.match}\` is ${either(values)}.`)
  return `${codes(settingsTypes(row))}, and hooks in code.${late.join('')}`
}

/** What a matcher looks at. */
export function matcherFact(row: EventRow): string {
  if (row.match === undefined) return 'Looks at nothing: matchers are ignored here, every hook runs.'
  const what = {
    none: `Looks at \`${row.match}\`.`,
    basename: `Looks at the last part of \`${row.match}\`.`,
    model: `Looks at the canonical name of the model in \`${row.match}\`; when there is none, every hook runs.`,
  }[row.matchAs ?? 'none']
  const values = knownValues(row)
  const list = values.length === 0 ? '' : ` ${row.input[row.match]?.open ? 'Known values' : 'Values'}: ${codes(values)}.`
  return `${what}${list}${row.narrow ? ' Names are of letters, digits and `_`, separated by `|` only; anything else is a regular expression.' : ''}`
}

/** Whether `if` means something. */
export const conditionFact = (row: EventRow): string =>
  row.condition ? 'A permission rule, compared with the call.' : 'Means nothing here: a hook with `if` never runs.'

const blocks: Record<NonNullable<EventRow['onBlock']>, string> = {
  refuse: 'The announced step does not happen.',
  feedback: 'Nothing can be undone: what was said is feedback.',
  resume: 'The agent does not stop; it goes on.',
  end: 'The turn ends.',
  decline: 'The answer to the server is a decline.',
  fail: 'The operation fails.',
}

/** What a block does, in a word or two. */
export const blockWord = (row: EventRow): string =>
  row.onBlock === undefined
    ? '–'
    : { refuse: 'refuses', feedback: 'is feedback', resume: 'sends the agent back to work', end: 'ends the turn', decline: 'declines', fail: 'fails it' }[
        row.onBlock
      ]

/** What a block does and who reads why. */
export function blockFact(row: EventRow): string {
  if (row.onBlock === undefined) return 'Not possible.'
  const more = [
    row.contextResumes ? 'Context alone does the same.' : '',
    row.loop === 'counted' ? 'Blocks in a row are counted, and after 8 of them the agent may stop.' : '',
    row.unblockable === undefined ? '' : `Not obeyed when \`source\` is \`${row.unblockable}\`.`,
  ]
  return [blocks[row.onBlock], `The reason goes to ${readers[row.reasonTo ?? 'nobody']}.`, ...more].filter(Boolean).join(' ')
}

/** What exit code 2 means. */
export function exit2Fact(row: EventRow): string {
  switch (row.exit2) {
    case 'notice':
      return 'Blocks nothing; what the hook wrote to standard error is shown to the person.'
    case 'feedback':
      return 'Not a block: what the hook wrote to standard error is feedback for the model.'
    case 'ignore':
      return 'Blocks nothing and is not shown.'
    default:
      return row.failClosed === 'always' ? 'Blocks, as does every other code but 0.' : 'Blocks; what the hook wrote to standard error is the reason.'
  }
}

/** What becomes of plain text on standard output. */
export const stdoutFact = (row: EventRow): string =>
  ({ context: 'Context for the model, at exit code 0.', path: 'The last line that is not empty is the path.', log: 'Goes to the log only.' })[row.stdout]

/** Which JSON is read. */
export function answerFact(row: EventRow): string {
  if (row.discards === 'all') return 'No JSON is read, save `terminalSequence`.'
  if (row.messageTo === 'nobody') return '`systemMessage` is not shown.'
  const when = row.messageOnlyFrom === undefined ? '' : ` when \`source\` is \`${row.messageOnlyFrom}\`, else to the log only`
  return `\`systemMessage\` goes to ${readers[row.messageTo]}${when}.`
}

/** The deadlines of hooks that name none. */
export function deadlineFact(row: EventRow): string {
  const byTime = new Map<number, string[]>()
  for (const type of settingsTypes(row)) byTime.set(defaultTimeout(row, type), [...(byTime.get(defaultTimeout(row, type)) ?? []), type])
  if (byTime.size === 0) return 'None: hooks in code only.'
  const parts = [...byTime].map(([time, types]) => (byTime.size === 1 ? seconds(time) : `${codes(types)} ${seconds(time)}`))
  const budget =
    row.budgetMs === undefined
      ? ''
      : ` All hooks together have ${seconds(row.budgetMs / 1000)}, or the largest \`timeout\` written in a settings file, at most 60 s.`
  return `${parts.join('; ')}.${budget}`
}

/** What a hook that fails, or does not answer in time, amounts to. */
export function failureFact(row: EventRow): string {
  const closed: Record<EventRow['failClosed'], string> = {
    can: 'Reported, and the agent goes on; with `onFailure: "block"` it counts as a block.',
    always: 'Always counts as a block.',
    never: 'Reported, and the agent goes on; `onFailure` changes nothing.',
    feedback: 'Reported, and the agent goes on; with `onFailure: "block"` the failure is told to the model.',
    ignored: 'Reported, and the agent stops as it wanted to; `onFailure: "block"` is ignored with a warning.',
  }
  const late = { none: '', every: ' A timeout blocks.', code: ' A timeout of a hook in code blocks.' }[row.timeoutBlocks ?? 'none']
  return closed[row.failClosed] + late
}

/** What else is special, one sentence each. */
export function otherFacts(row: EventRow): string[] {
  const facts: string[] = []
  if (row.envFile) facts.push('Hooks get `CLAUDE_ENV_FILE`, a file to append `export` lines to.')
  if (row.stopRefuses) facts.push('`continue: false` also refuses the announced step.')
  if (row.judgedEnds)
    facts.push(`When a \`prompt\` hook says no, the turn ends as well${row.judgedEnds === 'always' ? '' : ', unless the hook has `continueOnBlock`'}.`)
  if (row.internal) facts.push('In code only: settings files cannot name it.')
  return facts
}

/** The type of an input field, as a reader of JSON names it. */
export function typeOf(field: Field): string {
  const shape = { text: 'string', number: 'number', flag: 'true or false', object: 'object', list: 'list', anything: 'any value' }[field.shape]
  const values = field.values === undefined ? shape : `${field.open ? 'string, for example ' : ''}${either(field.values)}`
  return field.nullable ? `${values}, or \`null\`` : values
}

/** Everything an editor shows for an event. */
export const eventHover = (row: NamedRow): string =>
  [
    row.summary,
    `**Matcher**: ${matcherFact(row)}`,
    `**A block**: ${blockFact(row)}`,
    `**Exit code 2**: ${exit2Fact(row)}`,
    `**Plain output**: ${stdoutFact(row)}`,
    `**Handlers**: ${codes(settingsTypes(row))}.`,
  ].join('\n\n')
