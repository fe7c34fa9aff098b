/** Tells, from almost nothing, that an event cannot meet a hook, a rule or the guard: where nobody wrote anything, nothing need be loaded. */
import { statSync } from 'node:fs'
import { onlyReads } from '../permission/reading-tools.ts'
import { findPlaces, type PlacesOptions } from '../platform/places.ts'
import { events, type NamedRow } from '../protocol/events.ts'
import { type Field, flag, misfit, object } from '../protocol/fields.ts'

type Input = Readonly<Record<string, unknown>>

/** Common fields that hold no text. */
const unlikeText: Readonly<Record<string, Field>> = { effort: object(''), stop_hook_active: flag('') }

/**
 * True only when it is certain that firing the event in this folder, with no settings but those on disk, would come to the empty
 * verdict: no file of settings or policy is there, the input is what the event takes, and the call is nothing that self-protection
 * looks at. False says nothing. `input` may lack what a scope fills in.
 */
export function isUntouched(row: NamedRow, input: Input, places: PlacesOptions): boolean {
  return fits(row, input) && !isGuarded(row, input) && isBare(places)
}

function fits({ input: fields }: NamedRow, input: Input): boolean {
  return Object.entries(input).every(([key, value]) => {
    const field = fields[key] ?? unlikeText[key]
    return field === undefined ? typeof value === 'string' : misfit(field, value) === undefined
  })
}

function isGuarded(row: NamedRow, { tool_name: tool }: Input): boolean {
  return row === events.PreToolUse && !(typeof tool === 'string' && onlyReads(tool))
}

function isBare(options: PlacesOptions): boolean {
  const { user, project, local, managed } = findPlaces(options)
  const paths = [...user, ...project, ...local, ...managed].map(({ path }) => path)
  return [...paths, ...managed.map(({ folder }) => folder)].every(isAbsent)
}

/** What cannot be told may be there. */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
