/** The tool by which a verifier hands in its verdict: the one way there is, so that no text it read can pass for one. */
import type { ModelTool, ModelToolCall } from '../protocol/ports.ts'

/** A verdict that was handed in. */
export interface HandedIn {
  readonly ok: boolean
  readonly reason?: string
}

/** The longest reason that is kept, in UTF-16 units. */
const longestReason = 10_000

export const structuredOutput: ModelTool = {
  name: 'StructuredOutput',
  description: 'Hands in your verdict and ends your work. Call it exactly once, when you are sure.',
  inputSchema: {
    type: 'object',
    properties: {
      ok: { type: 'boolean', description: 'Your verdict: true for yes, false for no.' },
      reason: { type: 'string', description: 'With a no: one or two plain sentences on what you found.' },
    },
    required: ['ok'],
    additionalProperties: false,
  },
}

/** Reads the call; a text says to the model what is wrong with it. */
export function readVerdict({ input }: ModelToolCall): HandedIn | string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'The input must be an object with "ok".'
  const { ok, reason } = input as { ok?: unknown; reason?: unknown }
  if (typeof ok !== 'boolean') return '"ok" must be true or false.'
  if (reason !== undefined && typeof reason !== 'string') return '"reason" must be a text.'
  return { ok, ...(reason === undefined ? {} : { reason: reason.slice(0, longestReason) }) }
}

/** Of several verdicts in one turn a no wins. */
export function strictest(verdicts: readonly HandedIn[]): HandedIn | undefined {
  return verdicts.find(({ ok }) => !ok) ?? verdicts[0]
}
