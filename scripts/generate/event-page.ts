/** Derives `docs/reference/events.md` from the event table. */
import type { BaseInput } from '../../packages/hookline/src/protocol/event-types.ts'
import { events, type NamedRow } from '../../packages/hookline/src/protocol/events.ts'
import type { EventGroup } from '../../packages/hookline/src/protocol/row.ts'
import { sayings } from './answer-words.ts'
import {
  answerFact,
  blockFact,
  blockWord,
  conditionFact,
  deadlineFact,
  exit2Fact,
  failureFact,
  handlersFact,
  matcherFact,
  otherFacts,
  stdoutFact,
  typeOf,
} from './event-facts.ts'
import { page, table } from './markdown.ts'

const groups: Record<EventGroup, string> = {
  session: 'Session',
  prompt: 'Prompts and instructions',
  tool: 'Tool calls',
  permission: 'Permissions',
  turn: 'Turns',
  agent: 'Subagents and teammates',
  task: 'Tasks',
  model: 'Models',
  mcp: 'MCP servers',
  workspace: 'Workspace',
  compaction: 'Compaction',
  display: 'Display',
}

const baseFields: Record<keyof BaseInput, [type: string, says: string]> = {
  session_id: ['string', 'Identifies the session.'],
  transcript_path: ['string', 'Where the conversation is written, with some delay.'],
  cwd: ['string', 'The current directory.'],
  hook_event_name: ['string', 'The event.'],
  prompt_id: ['string, optional', 'Identifies the prompt that is being worked on.'],
  permission_mode: ['string, optional', 'The permission mode, for example `default` or `plan`.'],
  agent_id: ['string, optional', 'Present inside a subagent only.'],
  agent_type: ['string, optional', 'The type of the subagent, or the agent of the session.'],
  effort: ['object, optional', 'How much the model is to think: `{ "level": "high" }`.'],
}

const all = Object.values(events as unknown as Record<string, NamedRow>)

/** The page. */
export function eventPage(): string {
  return page('Events', 'the event table', [
    `${all.filter((row) => !row.internal).length} events, in groups. What a hook gets is one JSON object: the common fields, and those of the event. What it may say is in the last table of each event: as a value in code, or as JSON on standard output.`,
    overview(),
    '## Common fields',
    table(
      ['Field', 'Type', 'Meaning'],
      Object.entries(baseFields).map(([name, [type, says]]) => [`\`${name}\``, type, says]),
    ),
    ...(Object.keys(groups) as EventGroup[]).flatMap((group) => [`## ${groups[group]}`, ...all.filter((row) => row.group === group).flatMap(eventPart)]),
  ])
}

function overview(): string {
  const rows = all.filter((row) => !row.internal)
  return table(
    ['Event', 'When', 'A block'],
    rows.map((row) => [`[${row.name}](#${row.name.toLowerCase()})`, row.summary, blockWord(row)]),
  )
}

function eventPart(row: NamedRow): string[] {
  const fields = Object.entries(row.input)
  const facts: [string, string][] = [
    ['Matcher', matcherFact(row)],
    ['`if`', conditionFact(row)],
    ['Handlers', handlersFact(row)],
    ['A block', blockFact(row)],
    ['Exit code 2', exit2Fact(row)],
    ['Plain output', stdoutFact(row)],
    ['JSON', answerFact(row)],
    ['Deadline', deadlineFact(row)],
    ['A failing hook', failureFact(row)],
    ...otherFacts(row).map((fact): [string, string] => ['Note', fact]),
  ]
  return [
    `### ${row.name}`,
    row.summary,
    table(['', ''], facts),
    'Input:',
    table(
      ['Field', 'Type', 'Meaning'],
      fields.map(([name, field]) => [`\`${name}\``, `${typeOf(field)}${field.optional ? ', optional' : ''}`, field.summary]),
    ),
    'Answers:',
    table(
      ['In code', 'As JSON', 'Meaning'],
      sayings(row).map((one) => [one.code, one.wire, one.does]),
    ),
  ]
}
