/** One permission rule, parsed: `Tool` or `Tool(specifier)` (protocol §4.4). */

/** A parsed rule. */
export interface Rule {
  readonly text: string
  readonly tool: string
  readonly specifier?: string
}
