/** A tool call as rules look at it, with the reading of its command kept so that many rules share one. */
import { readShell, type ShellReading } from './shell/read.ts'

/** The call a rule is compared with. Paths are absolute; without `cwd`, `root` or `home` a rule that needs one cannot tell. */
export interface RuleCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** The session's current folder, to which plain paths are relative. */
  readonly cwd?: string
  /** The folder that rule paths with one leading slash are relative to; default: `cwd`. */
  readonly root?: string
  /** The person's home folder, for `~/`. */
  readonly home?: string
  /** The MCP server behind the tool, when the host knows it. */
  readonly mcpServer?: { readonly name: string }
  /** Where a path really leads. Absent: paths are compared as they are written. */
  readonly realPath?: RealPath
}

/** Where a path leads when its links are followed; of a file that is not there, its folder's. `undefined`: it cannot be told. */
export type RealPath = (path: string) => string | undefined

/** The same, asking once per path: for one decision, in which nothing should change its mind. */
export function rememberPaths(realPath: RealPath): RealPath {
  const known = new Map<string, string | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, realPath(path))
    return known.get(path)
  }
}

// Keyed by the input object: every rule of one decision looks at the same one, and a rewrite is a new object.
const readings = new WeakMap<object, Read>()
// The guard, the conditions of hooks and the rules look at one call after another, each at a copy of its own.
let last: Read | undefined

interface Read {
  readonly command: string
  readonly reading: ShellReading
}

/** The call's shell command, read; `undefined` when it has none. */
export function readingOf(call: RuleCall): ShellReading | undefined {
  const command = call.input['command']
  if (typeof command !== 'string') return undefined
  const kept = readings.get(call.input)
  if (kept?.command === command) return kept.reading
  if (last?.command !== command) last = { command, reading: readShell(command) }
  readings.set(call.input, last)
  return last.reading
}
