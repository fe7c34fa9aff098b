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

// The guard, the conditions of hooks and the rules look at one call after another, each at a copy of its own; and agents come back to the same commands.
const latest = new Map<string, ShellReading>()
const mostKept = 32
/** Of longer commands only the last one is kept: what they hold may be large. */
const longestKept = 2_000
let lastLong: ShellReading | undefined

/** The call's shell command, read; `undefined` when it has none. */
export function readingOf(call: RuleCall): ShellReading | undefined {
  const command = call.input['command']
  if (typeof command !== 'string') return undefined
  return command.length > longestKept ? readLong(command) : readShort(command)
}

function readLong(command: string): ShellReading {
  if (lastLong?.text !== command) lastLong = readShell(command)
  return lastLong
}

function readShort(command: string): ShellReading {
  let reading = latest.get(command)
  if (reading === undefined) {
    reading = readShell(command)
    if (latest.size >= mostKept) latest.delete(latest.keys().next().value as string)
    latest.set(command, reading)
  }
  return reading
}
