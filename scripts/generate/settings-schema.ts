/** Derives the JSON Schema of settings files, for editors, from the event table and the words of the format. */
import { eventNames, type NamedRow, rowOf } from '../../packages/hookline/src/protocol/events.ts'
import { toolNames } from '../../packages/hookline/src/protocol/tools.ts'
import { eventHover, knownValues, matcherFact, settingsTypes } from './event-facts.ts'
import { failClosedSpellings, handlerFields, handlerSays, type SettingsType, sharedFields, type Word } from './handler-words.ts'
import { permissionWords, policyWords, topWords } from './settings-words.ts'

/** A description twice: plain for every reader, Markdown for editors that show it. */
const told = (markdown: string) => ({ description: markdown.replaceAll('`', '').replaceAll('**', ''), markdownDescription: markdown })

const property = (word: Word) => ({ ...word.schema, ...told(word.says) })
const properties = (words: Record<string, Word>) => Object.fromEntries(Object.entries(words).map(([key, word]) => [key, property(word)]))

/** The whole schema: draft-07, because that is what editors know best. Unknown keys are tolerated everywhere. */
export function settingsSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://hookline.dev/schema/settings.schema.json',
    title: 'Hookline settings',
    ...told('Hooks, permission rules and policy of an agent: the `settings.json` that coding agents share. Keys that are not described here are left alone.'),
    type: 'object',
    properties: {
      ...properties(topWords),
      hooks: {
        ...told('Hooks by event. The hooks of all settings files add up; none replaces another.'),
        type: 'object',
        properties: Object.fromEntries(eventNames.map((name) => [name, eventSchema(rowOf(name) as NamedRow)])),
        additionalProperties: {
          ...told('An event that the host program defined itself.'),
          type: 'array',
          items: groupSchema(told('What this hook reacts to.'), Object.keys(handlerFields) as SettingsType[]),
        },
      },
      permissions: { ...told('Rules for tool calls, and the mode they are read in.'), type: 'object', properties: properties(permissionWords) },
      ...Object.fromEntries(Object.entries(policyWords).map(([key, word]) => [key, { ...word.schema, ...told(`${word.says} Read from: ${word.from}.`) }])),
    },
    definitions: Object.fromEntries((Object.keys(handlerFields) as SettingsType[]).map((type) => [type, handlerSchema(type)])),
  }
}

function eventSchema(row: NamedRow): object {
  const examples = row.match === 'tool_name' && knownValues(row).length === 0 ? toolNames : knownValues(row)
  const matcher = { ...told(matcherFact(row)), ...(examples.length === 0 ? {} : { examples }) }
  return { ...told(eventHover(row)), type: 'array', items: groupSchema(matcher, settingsTypes(row)) }
}

function groupSchema(matcher: object, types: readonly SettingsType[]): object {
  return {
    ...told('Hooks that share a matcher.'),
    type: 'object',
    required: ['hooks'],
    properties: {
      matcher: { type: 'string', ...matcher },
      hooks: {
        ...told('The hooks; all that match run side by side.'),
        type: 'array',
        items: { anyOf: types.map((type) => ({ $ref: `#/definitions/${type}` })) },
      },
    },
  }
}

function handlerSchema(type: SettingsType): object {
  const fields: Record<string, Word> = handlerFields[type]
  return {
    ...told(handlerSays[type]),
    type: 'object',
    required: ['type', ...Object.keys(fields).filter((key) => fields[key]?.required)],
    properties: {
      type: { const: type, ...told(handlerSays[type]) },
      ...properties(fields),
      ...properties(sharedFields),
      ...Object.fromEntries(
        Object.entries(failClosedSpellings).map(([key, schema]) => [key, { ...schema, ...told('Another spelling of `onFailure: "block"`.') }]),
      ),
    },
  }
}
