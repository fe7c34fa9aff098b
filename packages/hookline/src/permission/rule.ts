/** One permission rule, parsed: `Tool` or `Tool(specifier)` (protocol §4.4). */

/** A parsed rule. `Tool(*)` is the same as `Tool` and has no specifier. */
export interface Rule {
  /** As written, without blanks around it. */
  readonly text: string
  /** The tool's name, or a glob over names such as `mcp__*`. */
  readonly tool: string
  /** What stands between the brackets; absent: every call of the tool. */
  readonly specifier?: string
}

/** How a rule is used: to forbid or ask (`restrict`), to permit (`grant`), or as a hook's `if` (`condition`). */
export type RuleUse = 'restrict' | 'grant' | 'condition'
