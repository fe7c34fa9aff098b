/** Sees, after each run, whether a run left somebody in its worker's group, at the price of a look at the process ids given out since the last time. Needs Linux's /proc. */
import { existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { closeDescriptor } from './close-descriptor.ts'

/** Looks for others in the groups of workers. */
export interface Company {
  /** From now on, the group is looked at. */
  watch(group: number): void
  forget(group: number): void
  /** True when somebody beside its leader lives in the group. `gone` is one who is known to have ended. */
  hasOthers(group: number, gone?: number): boolean
  close(): void
}

// Beyond as many new ids, a list of all processes costs less than asking for each.
const longestWalk = 400
const mostTries = 4

/** Starts to look. Throws where the system does not tell which process id it gave out last. */
export function createCompany(): Company {
  const load = openSync('/proc/loadavg', 'r')
  const buffer = Buffer.allocUnsafe(128)
  const lastId = (): number => {
    const text = buffer.toString('latin1', 0, readSync(load, buffer, 0, buffer.length, 0))
    return Number(text.slice(text.lastIndexOf(' ') + 1))
  }
  let seen = lastId()
  if (!(seen > 0) || !existsSync(`/proc/${process.pid}/stat`)) {
    closeDescriptor(load)
    throw new Error('the system does not tell its last process id')
  }
  const groups = new Map<number, Set<number>>()

  /** Sorts all who came since the last look by the groups that are looked at. */
  const look = (upTo: number, gone: number | undefined) => {
    for (const id of newIds(seen, upTo, gone)) {
      const group = groupOf(id)
      if (group !== undefined && group !== id) groups.get(group)?.add(id)
    }
    seen = upTo
  }

  /** Who of the group still lives; `undefined` when nobody was there at all. */
  const isLeft = (group: number): boolean | undefined => {
    const others = groups.get(group)
    if (others === undefined || others.size === 0) return undefined
    for (const id of others) {
      if (groupOf(id) === group) return true
      others.delete(id)
    }
    return false
  }

  return {
    watch: (group) => groups.set(group, new Set()),
    forget: (group) => groups.delete(group),
    hasOthers(group, gone) {
      // Who starts another and ends while we look is seen by looking again, until nobody new came.
      try {
        for (let tries = 0; tries < mostTries; tries++) {
          const upTo = lastId()
          if (upTo !== seen) look(upTo, gone)
          const left = isLeft(group)
          if (left !== false) return left === true
          if (lastId() === upTo) return false
        }
        return false
      } catch {
        // Where the system does not tell, there may be others.
        return true
      }
    },
    close: () => closeDescriptor(load),
  }
}

function newIds(from: number, upTo: number, gone: number | undefined): readonly number[] {
  const count = upTo - from
  // Ids begin anew after the highest one.
  if (count < 0 || count > longestWalk) {
    return readdirSync('/proc')
      .map(Number)
      .filter((id) => Number.isInteger(id))
  }
  const ids: number[] = []
  for (let id = from + 1; id <= upTo; id++) if (id !== gone && existsSync(`/proc/${id}`)) ids.push(id)
  return ids
}

const statBuffer = Buffer.allocUnsafe(1_024)

/** The group of a living process. */
function groupOf(id: number): number | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(`/proc/${id}/stat`, 'r')
    const stat = statBuffer.toString('latin1', 0, readSync(descriptor, statBuffer))
    // The second field is the program's name in parentheses, which may hold anything.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? undefined : Number(group)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeDescriptor(descriptor)
  }
}
