/** Builds the input of an event from `--input`, `--tool`, `--tool-input` and `--set`, and says which field is missing. */
import { createEngine, type EventName, events, type NamedRow } from '../index.ts'
import { Failure } from './failure.ts'
import type { InputOptions } from './flags.ts'
import { readText } from './read-input.ts'
import { parseObject } from './read-json.ts'
import { shownLine } from './render/shown.ts'
import { fieldsOf, sampleOf, setField } from './set-field.ts'

type Fields = Record<string, unknown>

/** The scope fills these in when they are not given. */
const filledLater: readonly string[] = ['session_id', 'transcript_path', 'cwd', 'stop_hook_active']
/** Ids that the agent would have made up itself, with the start of a made-up one. */
const madeUp: readonly [field: string, prefix: string][] = [
  ['tool_use_id', 'toolu_'],
  ['agent_id', 'agent_'],
]

/**
 * The row of an event.
 * @throws HooklineError `unknown-event`, with the nearest name.
 */
export function eventRow(name: string): NamedRow {
  // Only an engine knows which name was meant.
  if (!Object.hasOwn(events, name)) createEngine().has(name as EventName)
  return (events as unknown as Record<string, NamedRow>)[name] as NamedRow
}

/** The input of one firing, complete but for what the scope fills in. @throws Failure. */
export async function eventInput(row: NamedRow, options: InputOptions): Promise<Fields> {
  const input = options.input === undefined ? {} : await readInput(row, options.input)
  if (options.tool !== undefined) setTool(row, input, options.tool)
  if (options.toolInput !== undefined) {
    needField(row, 'tool_input', '--tool-input')
    input['tool_input'] = await parseObject(options.toolInput, {
      name: '--tool-input',
      hint: `Give an object in single quotes: --tool-input '{"command":"ls"}'.`,
    })
  }
  for (const assignment of options.set ?? []) setField(row, input, assignment)
  for (const [key, prefix] of madeUp) {
    if (row.input[key]?.optional === false && !(key in input)) input[key] = `${prefix}${digits()}${digits()}`
  }
  needAll(row, input)
  return input
}

/** Twelve hexadecimal digits. Nothing is kept secret by an id, and cryptography takes milliseconds to load. */
function digits(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')
}

async function readInput(row: NamedRow, path: string): Promise<Fields> {
  const { text, name } = await readText(path, { option: '--input' })
  const sample = Object.keys(row.input)
    .slice(0, 2)
    .map((key) => `"${key}": …`)
  const hint = `Give the fields of ${row.name} as one JSON object, like {${sample.join(', ')}}.`
  if (text.trim() === '') throw new Failure('empty-input', `--input: ${name} is empty.`, { hint })
  const input = await parseObject(text, { name, hint })
  const given = input['hook_event_name']
  if (given !== undefined && given !== row.name) {
    const other = shownLine(typeof given === 'string' ? given : JSON.stringify(given), 60)
    throw new Failure('other-event', `the input is one of ${other}, not of ${row.name}.`, {
      file: name,
      hint: 'Name that event, or remove "hook_event_name" from the input.',
    })
  }
  return input
}

function setTool(row: NamedRow, input: Fields, tool: string): void {
  needField(row, 'tool_name', '--tool')
  if (tool === '') throw new Failure('empty-value', '--tool: the name is empty.', { hint: 'Give a tool name, for example --tool Bash.' })
  input['tool_name'] = tool
}

function needField(row: NamedRow, field: string, option: string): void {
  if (!(field in row.input)) throw new Failure('no-such-field', `${option}: ${row.name} has no field "${field}".`, { hint: fieldsOf(row) })
}

function needAll(row: NamedRow, input: Fields): void {
  const missing = Object.entries(row.input).filter(([key, field]) => !field.optional && !(key in input) && !filledLater.includes(key))
  if (missing.length === 0) return
  const flags = missing.map(([key, field]) => {
    if (key === 'tool_name') return '--tool NAME'
    if (key === 'tool_input') return "--tool-input '{…}'"
    return `--set ${key}=${field.values?.join('|') ?? sampleOf(field.shape)}`
  })
  throw new Failure('missing-field', `${row.name} needs ${missing.map(([key]) => `"${key}"`).join(', ')}.`, {
    hint: `Give ${flags.join(' ')}, or --input FILE with the whole input.`,
  })
}
