/** Limits that the environment sets: how often a stop is obeyed, and how long the end of a session may take. */

type Env = Readonly<Record<string, string | undefined>>

/** How many blocks of a stop in a row are obeyed. */
export function stopBlockCapOf(env: Env): number {
  return wholeNumber(env['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP']) ?? 8
}

/** The shared budget of the hooks of a session's end, in milliseconds. */
export function budgetOf(env: Env): { budgetMs?: number } {
  const budgetMs = wholeNumber(env['CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS'])
  return budgetMs === undefined ? {} : { budgetMs }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
