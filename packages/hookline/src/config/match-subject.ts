/** The value that matchers look at: one field of the input, sometimes reduced to a file name or a model's canonical name. */
import type { EventRow } from '../protocol/row.ts'

/**
 * The value for matchers of this row; `undefined` when the row has none or none can be derived, and then every hook runs
 * (protocol §1.1, rows 24 and 29).
 */
export function matchSubject(row: EventRow, input: Readonly<Record<string, unknown>>): string | undefined {
  if (row.match === undefined) return undefined
  const value = Object.hasOwn(input, row.match) ? input[row.match] : undefined
  if (typeof value !== 'string') return undefined
  if (row.matchAs === 'basename') return value.replace(/[\\/]+$/, '').replace(/^.*[\\/]/s, '')
  if (row.matchAs === 'model') return canonicalModel(value)
  return value
}

/**
 * The name of a model without what providers add around it: "us.anthropic.claude-opus-4-1-20250805-v1:0", "anthropic/claude-opus-4-1"
 * and "claude-opus-4-1@20250805[1m]" are all "claude-opus-4-1". `undefined` for names that hide the model, such as an inference profile.
 */
export function canonicalModel(name: string): string | undefined {
  if (/^arn:/i.test(name) && !/[:/](?:foundation-model|inference-profile)\//i.test(name)) return undefined
  const bare = name
    .trim()
    .replace(/(?:\[[^\]]*\])+$/, '')
    .replace(/^.*\//s, '')
    .replace(/^(?:(?:us|eu|apac|ap|ca|sa|me|af|jp|au|global)(?:-gov)?\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google)\./i, '')
    .replace(/:(?:\d+|latest)$/, '')
    .replace(/@[^@]*$/, '')
    .replace(/-v\d+$/, '')
    .replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/-latest$/, '')
  return bare === '' ? undefined : bare
}
