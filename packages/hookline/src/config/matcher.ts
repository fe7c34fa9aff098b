/** Matchers: from what a person wrote to a test of one value (design decision 17). */

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
