/** Matchers: from what a person wrote to a test of one value (design decision 17). */
import { namesOf } from '../protocol/tools.ts'
import { runsBounded } from './pattern-cost.ts'

/** What a test says; `null` is "cannot tell": the time limit was hit or the value is too long. */
export type Matched = true | false | null

/** A compiled matcher. */
export interface Matcher {
  readonly kind: 'all' | 'exact' | 'list' | 'regex' | 'invalid'
  /** As written; absent when none was. */
  readonly text?: string
  /** The names of an exact or list matcher. */
  readonly names?: readonly string[]
  readonly error?: 'invalid-regex' | 'schema' | 'too-long' | 'unbounded'
  /** Why it is invalid, or what looks odd about it, in words. */
  readonly detail?: string
  readonly warning?: string
  test(value: string): Matched
}

/** Runs one regular expression against one value within 25 ms; `null` when it took longer. A port: the root door has none. */
export type BoundedRegex = (source: string, value: string) => boolean | null

/** How matchers of an event are read. */
export interface MatcherOptions {
  /** Only `[A-Za-z0-9_|]` is a list of names (FileChanged, StopFailure). */
  readonly narrow?: boolean
  /** The values are tool names, so that a former name and the name of today mean each other. */
  readonly tools?: boolean
  readonly bounded?: BoundedRegex
}

/** Longest pattern that is read, and longest value that a regular expression is tried on, in UTF-16 units. */
export const maxPattern = 1_024
export const maxValue = 256
const remembered = 256

/** Compiles what was written in `matcher`; nothing, `null`, "" and "*" match every value. Never throws: a bad one is of kind `invalid`. */
export function compileMatcher(written: unknown, { narrow = false, tools = false, bounded }: MatcherOptions = {}): Matcher {
  if (written === undefined || written === null) return { kind: 'all', test: () => true }
  if (typeof written !== 'string') return invalid('schema', `expected text, got ${Array.isArray(written) ? 'list' : typeof written}`)
  if (written === '' || written === '*') return { kind: 'all', text: written, test: () => true }
  if (written.length > maxPattern) return invalid('too-long', `${written.length} characters; at most ${maxPattern} are read`, written)
  if ((narrow ? /^[A-Za-z0-9_|]*$/ : /^[A-Za-z0-9_\- ,|]*$/).test(written)) return nameMatcher(written, { narrow, tools })
  return regexMatcher(written, { tools, ...(bounded === undefined ? {} : { bounded }) })
}

function nameMatcher(text: string, { narrow, tools }: { narrow: boolean; tools: boolean }): Matcher {
  const members = narrow ? text.split('|') : text.split(/[|,]/).map((member) => member.trim())
  const names = members.filter((member) => member !== '')
  const known = new Set(tools ? names.flatMap(namesOf) : names)
  const empty = names.length < members.length
  return {
    kind: members.length > 1 ? 'list' : 'exact',
    text,
    names,
    ...(empty ? { warning: names.length === 0 ? 'it holds no name, so it matches nothing' : 'an empty member of the list matches nothing' } : {}),
    test: (value) => known.has(value),
  }
}

function regexMatcher(text: string, { tools, bounded }: { tools: boolean; bounded?: BoundedRegex }): Matcher {
  let pattern: RegExp
  try {
    pattern = new RegExp(text)
  } catch (error) {
    return invalid('invalid-regex', `matcher is not a valid pattern (${reasonOf(error)})`, text)
  }
  const native = runsBounded(text)
  if (!native && bounded === undefined) return invalid('unbounded', 'this pattern needs a time limit, which this runtime does not have', text)
  const run = native ? (value: string) => pattern.test(value) : (bounded as (source: string, value: string) => boolean | null).bind(undefined, text)
  const answers = new Map<string, boolean>()
  const testOne = (value: string): Matched => {
    if (value.length > maxValue) return null
    const before = answers.get(value)
    if (before !== undefined) return before
    const answer = run(value)
    // "Cannot tell" may be the fault of a busy machine, so it is asked again.
    if (answer === null) return null
    if (answers.size >= remembered) answers.clear()
    answers.set(value, answer)
    return answer
  }
  const test = tools ? (value: string): Matched => anyOf(namesOf(value).map(testOne)) : testOne
  const warning = oddPattern(text)
  return { kind: 'regex', text, ...(warning === undefined ? {} : { warning }), test }
}

/** What looks like a slip although it is a valid pattern. */
function oddPattern(text: string): string | undefined {
  if (text.trim() === '*') return 'blanks around the star make it a pattern that looks for a blank; write "*"'
  if (/^[A-Za-z_]\w*\(.*\)$/s.test(text)) return 'it looks like a permission rule, but is read as a pattern; rules belong in "if"'
  return undefined
}

function anyOf(answers: readonly Matched[]): Matched {
  if (answers.includes(true)) return true
  return answers.includes(null) ? null : false
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, '').toLowerCase()
}

function invalid(error: NonNullable<Matcher['error']>, detail: string, text?: string): Matcher {
  return { kind: 'invalid', ...(text === undefined ? {} : { text }), error, detail, test: () => null }
}
