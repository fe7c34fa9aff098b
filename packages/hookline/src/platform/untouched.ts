/** Tells, from almost nothing, that an event cannot meet a hook, a rule or the guard: where nobody wrote anything for it, nothing need be loaded. */
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type PlainSettings, passedBy, readPlainSettings } from '../config/plain-settings.ts'
import { onlyReads } from '../permission/reading-tools.ts'
import { events, type NamedRow } from '../protocol/events.ts'
import { type Field, flag, misfit, object } from '../protocol/fields.ts'
import { findPlaces, type PlacesOptions } from './places.ts'

/** Longer files, in bytes, are not worth a second reading. */
const mostPlain = 32_768

type Input = Readonly<Record<string, unknown>>

/** Common fields that hold no text. */
const unlikeText: Readonly<Record<string, Field>> = { effort: object(''), stop_hook_active: flag('') }

/** Where the event happens, and whether the folder's own hooks may run without an answer of a person. */
export interface UntouchedOptions extends PlacesOptions {
  /** The caller vouches for the folder. */
  readonly trusted?: boolean
}

/**
 * How many hooks are passed by when the event is fired in this folder with no settings but those on disk, and only when it is certain that
 * firing comes to the empty verdict with no error to tell: there is no policy, the settings hold nothing but plain hooks for other calls, the
 * input is what the event takes, and the call is nothing that self-protection looks at. `undefined` says nothing. `input` may lack what a scope fills in.
 */
export function countPassedBy(row: NamedRow, input: Input, options: UntouchedOptions): number | undefined {
  if (!fits(row, input) || isGuarded(row, input)) return undefined
  const { user, project, local, managed } = findPlaces(options)
  if (!managed.every(({ path, folder }) => isSound(dirname(path)) && isAbsent(path) && isAbsent(folder))) return undefined
  const own = project.concat(local).map(({ path }) => path)
  let count = 0
  for (const path of new Set([...user.map((place) => place.path), ...own])) {
    const settings = plainAt(path)
    const passed = settings === undefined ? undefined : passedBy(settings, row, input)
    // Hooks of a folder that nobody vouched for are told of, whatever they match.
    if (passed === undefined || (passed > 0 && options.trusted !== true && own.includes(path))) return undefined
    count += passed
  }
  return count
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

/** The settings of a file where there is one, its own and not a link to another; `undefined` when it takes the whole reading. */
function plainAt(path: string): PlainSettings | undefined {
  if (isAbsent(path)) return {}
  try {
    if (realpathSync(path) !== path || statSync(path).size > mostPlain) return undefined
    const text = readFileSync(path, 'utf8')
    // What is no UTF-8 is told.
    return text.includes('\ufffd') ? undefined : readPlainSettings(text)
  } catch {
    return undefined
  }
}

/** A folder that is not there, or into which nobody but the administrator can put a policy. */
function isSound(folder: string): boolean {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    return stats === undefined || process.platform === 'win32' || (stats.uid === 0 && (stats.mode & 0o022) === 0)
  } catch {
    return false
  }
}

/** What cannot be told may be there. */
function isAbsent(path: string | undefined): boolean {
  if (path === undefined) return true
  try {
    // A link that leads to nothing is there.
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
