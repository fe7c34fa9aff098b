/** Descriptors that this process was itself started with, or that somebody in it opened, for all its children to have: hooks have none of them. */
import { openSync, readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000
// The system's own limit is often far higher; nobody numbers descriptors so.
const highest = 65_535

let found: readonly number[] | undefined

/** The descriptors beside the first three that a child would have, as they were when this was first asked. Only Linux tells. */
export function inheritedDescriptors(): readonly number[] {
  found ??= look()
  return found
}

function look(): number[] {
  if (process.platform !== 'linux') return []
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((one) => one > 2 && one <= highest && isInherited(one))
      .sort((a, b) => a - b)
  } catch {
    return []
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // It was the one that the list was read with.
    return false
  }
}

let nothing: number | undefined

/** For `stdio`: so many pipes. Where a child would have more, it finds nothing behind them: Node cannot close what is not its own. */
export function onlyPipes(count: number): ('pipe' | 'ignore' | number)[] {
  return hideInherited(Array.from({ length: count }, () => 'pipe' as const))
}

/** For `stdio`: these, and nothing behind what else the child would have. */
export function hideInherited(stdio: ('pipe' | 'ignore')[]): ('pipe' | 'ignore' | number)[] {
  const all: ('pipe' | 'ignore' | number)[] = [...stdio]
  for (const one of inheritedDescriptors()) {
    if (one < all.length) continue
    nothing ??= openSync('/dev/null', 'r+')
    while (all.length < one) all.push('ignore')
    all[one] = nothing
  }
  return all
}
