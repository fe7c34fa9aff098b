/** The keys that tell a wire object (protocol §3) from an answer in the words of the powers. */

/** The top-level keys that only the wire form has. */
export const wireKeys: ReadonlySet<string> = new Set([
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'hookSpecificOutput',
  'async',
  'asyncTimeout',
])
