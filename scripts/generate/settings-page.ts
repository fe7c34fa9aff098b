/** Derives `docs/reference/settings.md` from the words of the settings format. */
import { standardTimeouts } from '../../packages/hookline/src/protocol/row.ts'
import { failClosedSpellings, handlerFields, handlerSays, type SettingsType, sharedFields, type Word } from './handler-words.ts'
import { codes, page, seconds, table } from './markdown.ts'
import { permissionWords, policyWords, topWords } from './settings-words.ts'

const example = `\`\`\`json
{
  "$schema": "./node_modules/hookline/schema/settings.schema.json",
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": ".claude/hooks/guard.sh", "timeout": 10, "onFailure": "block" }] }]
  },
  "permissions": { "deny": ["Read(.env)"] }
}
\`\`\``

const rowsOf = (words: Record<string, Word>): string[][] =>
  Object.entries(words).map(([key, word]) => [`\`${key}\``, `${typeWord(word.schema)}${word.required ? ', required' : ''}`, word.says])

/** The page. */
export function settingsPage(): string {
  const types = Object.keys(handlerFields) as SettingsType[]
  return page('Settings', 'the words of the settings format', [
    'A settings file is one JSON object. Keys that are not listed here belong to the agent and are left alone; a broken entry never voids its neighbours.',
    example,
    '## Hooks',
    'Three levels: the event, a group of hooks that share a matcher, the hook itself. [Events](events.md) lists the events and what their matchers look at. The hooks of all files add up; none replaces another.',
    table(
      ['Key of a group', 'Type', 'Meaning'],
      [
        [
          '`matcher`',
          'string',
          'Which values of the matched field the hooks are for: a name, names separated by `|` or `,`, or a regular expression. Absent, empty or `*`: all.',
        ],
        ['`hooks`', 'list, required', 'The hooks; all that match run side by side.'],
      ],
    ),
    '### Every hook',
    table(['Key', 'Type', 'Meaning'], [['`type`', codes(types), 'How the hook answers.'], ...rowsOf(sharedFields)]),
    `\`onFailure: "block"\` is also read as ${Object.entries(failClosedSpellings)
      .map(([key, schema]) => `\`${key}: ${JSON.stringify((schema as { const: unknown }).const)}\``)
      .join(', ')}.`,
    ...types.flatMap((type) => [
      `### \`${type}\``,
      `${handlerSays[type]} Deadline without \`timeout\`: ${seconds(standardTimeouts[type])}, unless the event says otherwise.`,
      table(['Key', 'Type', 'Meaning'], rowsOf(handlerFields[type])),
    ]),
    '## Permissions',
    'Under `permissions`. The lists of all files add up, and the strictest rule wins: deny, then ask, then allow.',
    table(['Key', 'Type', 'Meaning'], rowsOf(permissionWords)),
    '## Policy',
    'Lists from any source only narrow. Managed settings are the files that an administrator installs.',
    table(
      ['Key', 'Type', 'Read from', 'Meaning'],
      Object.entries(policyWords).map(([key, word]) => [`\`${key}\``, typeWord(word.schema), word.from, word.says]),
    ),
    '## Other keys',
    table(['Key', 'Type', 'Meaning'], rowsOf(topWords)),
  ])
}

/** The type of a value, as a reader of JSON names it. */
function typeWord(schema: object): string {
  const { type, enum: values, const: only, anyOf, items } = schema as { type?: string; enum?: unknown[]; const?: unknown; anyOf?: object[]; items?: object }
  if (anyOf !== undefined) return anyOf.map(typeWord).join(' or ')
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeWord(items)}s`
  return type === 'boolean' ? 'true or false' : (type ?? 'any value')
}
