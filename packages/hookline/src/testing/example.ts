/** Example inputs: what an event needs, filled in from the event table. */
import { type EventName, type EventRef, events, type FireInput, HooklineError, type NamedRow, type ToolInputs } from '../index.ts'

type Field = NamedRow['input'][string]

/** What a tool may be called with, where an empty object would be no call. */
const toolInputs: { readonly [T in keyof ToolInputs]: ToolInputs[T] } = {
  Bash: { command: 'echo hello' },
  PowerShell: { command: 'echo hello' },
  Write: { file_path: '/project/example.txt', content: 'hello\n' },
  Edit: { file_path: '/project/example.txt', old_string: 'hello', new_string: 'goodbye' },
  Read: { file_path: '/project/example.txt' },
  Glob: { pattern: '**/*.ts' },
  Grep: { pattern: 'hello' },
  WebFetch: { url: 'https://example.com/', prompt: 'Summarise this page.' },
  WebSearch: { query: 'hello' },
  Agent: { description: 'look around', prompt: 'List the files.', subagent_type: 'Explore' },
  NotebookEdit: { notebook_path: '/project/example.ipynb', new_source: 'print("hello")' },
  Skill: { skill: 'example' },
}

/**
 * A valid input for an event: every required field, `fields` over it. The scope fills the common ones.
 * Of an event of your own, give the fields that its schema requires.
 * @throws HooklineError `unknown-event`.
 * @example example('PreToolUse', { tool_name: 'Write' })
 */
export function example<E extends EventRef>(event: E, fields: Partial<FireInput<E>> = {}): FireInput<E> {
  const row = rowFor(event)
  const given = fields as Readonly<Record<string, unknown>>
  const input: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(row.input)) {
    // The scope keeps the Stop loop; an example must not overrule it.
    if (field.optional || name in given || name === 'stop_hook_active') continue
    input[name] = name === 'tool_input' ? toolInputFor(given['tool_name'] ?? 'Bash') : valueFor(name, field)
  }
  return { ...input, ...given } as FireInput<E>
}

function rowFor(event: EventRef): NamedRow {
  if (typeof event !== 'string') return event as unknown as NamedRow
  if (Object.hasOwn(events, event)) return events[event as EventName]
  throw new HooklineError('unknown-event', `example: "${String(event)}" is not an event.`, { hint: 'See docs/reference/events.md for the names.' })
}

function toolInputFor(tool: unknown): object {
  return Object.hasOwn(toolInputs, String(tool)) ? { ...toolInputs[tool as keyof ToolInputs] } : {}
}

function valueFor(name: string, field: Field): unknown {
  if (field.nullable) return null
  switch (field.shape) {
    case 'text':
      return field.values?.[0] ?? textFor(name)
    case 'number':
      return 0
    case 'flag':
      return false
    case 'object':
      return {}
    case 'list':
      return []
    case 'anything':
      return { ok: true }
  }
}

function textFor(name: string): string {
  if (name === 'tool_name') return 'Bash'
  if (name.endsWith('_id')) return `${name.replace(/_?id$/, '').replace(/_use$/, '')}-1`
  if (name.endsWith('_model')) return 'claude-sonnet-4-5'
  if (/path$|cwd$|^directory$/.test(name)) return `/project/${name}`
  return `example ${name.replaceAll('_', ' ')}`
}
