/** Which files that a hook names count as its scripts, and where a copy can stand in for each. */
import { nameIn } from './paths.ts'
import type { NamedFile, NameSeat } from './trust-named.ts'
import type { ScriptRead } from './trust-ports.ts'

/** One script, as it was when it was looked at. */
export interface PinnedScript {
  readonly path: string
  /** As people read it. */
  readonly shown: string
  /** The project or the plugin that it lies in. */
  readonly root: string
  /** Another folder of the event would make it another file. */
  readonly relative: boolean
  /** SHA-256 of its bytes; absent: it is not there. */
  readonly digest?: string
  /** Where its name stands; absent: it cannot be replaced. */
  readonly seats?: readonly NameSeat[]
}

/** The scripts of one hook. */
export interface PinnedScripts {
  /** The digest of the hook with all of them. */
  readonly digest: string
  readonly scripts: readonly PinnedScript[]
}

const code =
  /\.(?:sh|bash|zsh|ksh|fish|[cm]?[jt]sx?|py|pyw|rb|pl|pm|php|lua|ps1|psm1|bat|cmd|vbs|awk|sed|jq|r|jl|swift|kts|groovy|tcl|exs|go|rs|nu|mk|jar|wasm|so|dll)$|^(?:make|just|docker|rake|gem|tilt)file$/i

/** A name that says of itself that it is a file of code. */
export function looksLikeCode(path: string): boolean {
  return code.test(nameIn(path))
}

/** A named file is a script when the hook runs it, or when it can be run: executable, with a shebang line, or code by its name. Data files are not. */
export function countsAsScript(path: string, state: ScriptRead, runs: boolean): boolean {
  if (runs) return state.kind !== 'other'
  if (state.kind !== 'file') return false
  return state.executable || state.text?.startsWith('#!') === true || looksLikeCode(path)
}

/**
 * The seats that a copy may take, by path. A word that may be one of several files, because the command changes folders,
 * keeps its name: nobody knows beforehand which of them it is.
 */
export async function seatsFor(named: readonly NamedFile[], read: (path: string) => Promise<ScriptRead>): Promise<ReadonlyMap<string, readonly NameSeat[]>> {
  const there: NamedFile[] = []
  for (const one of named) if ((await read(one.path)).kind !== 'missing') there.push(one)
  const key = (seat: NameSeat) => (seat.kind === 'text' ? `t${seat.start}` : seat.kind === 'word' ? `w${seat.index}` : 'm')
  const claims = new Map<string, number>()
  for (const { seats = [] } of there) for (const seat of seats) claims.set(key(seat), (claims.get(key(seat)) ?? 0) + 1)
  return new Map(there.flatMap(({ path, seats }) => (seats?.every((seat) => claims.get(key(seat)) === 1) ? [[path, seats] as const] : [])))
}
