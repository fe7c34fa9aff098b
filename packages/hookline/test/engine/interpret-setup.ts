/** What the tests of reading share: the rows, a hook, and short ways to say what a handler handed back. */
import { type Ask, interpret } from '../../src/engine/interpret.ts'
import type { EventName } from '../../src/protocol/event-types.ts'
import { type NamedRow, rowOf } from '../../src/protocol/events.ts'
import type { RawResult } from '../../src/protocol/runner.ts'
import type { Interpreted } from '../../src/protocol/words.ts'

export const lint = {
  id: 'project:PreToolUse:0:0',
  label: 'npm run lint',
  type: 'command',
  source: { id: 'project', kind: 'project', file: '.claude/settings.json', line: 14, column: 9 },
} as const

export function row(event: EventName): NamedRow {
  return rowOf(event) as NamedRow
}

/** Reads a raw result as the answer of an ordinary command hook, save what `ask` says otherwise. */
export function read(event: EventName, raw: RawResult, ask: Partial<Omit<Ask, 'row'>> & { type?: string } = {}): Interpreted {
  const { type, ...rest } = ask
  return interpret(raw, { row: row(event), info: { ...lint, ...(type === undefined ? {} : { type }) }, failClosed: false, ...rest })
}

/** A process that ended by itself. */
export function exited(code: number, stdout: string | object = '', stderr = ''): RawResult {
  return { ending: { kind: 'exited', code }, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr }
}

/** What a callback returned. */
export function returned(value: unknown): RawResult {
  return { ending: { kind: 'returned' }, value }
}

/** The wire form of `hookSpecificOutput`. */
export function output(event: EventName, fields: object): object {
  return { hookSpecificOutput: { hookEventName: event, ...fields } }
}

/** The codes of what was warned about. */
export function codes({ warnings }: Pick<Interpreted, 'warnings'>): string[] {
  return warnings.map((one) => one.code)
}
