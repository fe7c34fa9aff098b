/** Who is left of a run: the living processes of its group, and those that left the group but carry its mark. Needs Linux's /proc. */
import { openSync, readdirSync, readSync } from 'node:fs'
import { closeDescriptor } from './close-descriptor.ts'
import { carriesMark, markName } from './mark.ts'

/** A run's processes: the main one, which leads a group, and the mark that all of them inherit. */
export interface Tree {
  readonly leader: number
  readonly mark: string
  /** The leader and the first process it starts only fence the others in. */
  readonly fenced?: true
}

/** A process of a tree. A stray has left the group, so that no signal to the group reaches it. */
export interface Member {
  readonly pid: number
  readonly stray: boolean
  /** It is a fence, and ends with those behind it. */
  readonly fence: boolean
}

interface Living {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The variables it was started with; kept only where they hold marks at all. */
  readonly variables: string | undefined
}

let coming: Promise<readonly Living[] | undefined> | undefined
let notBefore = 0

/**
 * The living processes of a tree, or `undefined` where the system does not tell.
 * A zombie does not live: in a container without an init it may stay for ever.
 */
export async function findLiving({ leader, mark, fenced }: Tree): Promise<readonly Member[] | undefined> {
  if (process.platform !== 'linux') return undefined
  coming ??= nextLook()
  const all = await coming
  return all
    ?.filter(({ group, variables }) => group === leader || (variables !== undefined && carriesMark(variables, mark)))
    .map(({ pid, parent, group }) => ({ pid, stray: group !== leader, fence: fenced === true && (pid === leader || parent === leader) }))
}

/** A look that begins after it was asked for. All who ask before it begins share it, and looking never takes more than a quarter of the time. */
function nextLook(): Promise<readonly Living[] | undefined> {
  return new Promise((resolve) => {
    setTimeout(
      () => {
        coming = undefined
        const began = performance.now()
        resolve(look())
        const ended = performance.now()
        notBefore = ended + 3 * (ended - began)
      },
      Math.max(0, notBefore - performance.now()),
    )
  })
}

function look(): readonly Living[] | undefined {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
      .map(describeProcess)
      .filter((one) => one !== undefined)
  } catch {
    return undefined
  }
}

function describeProcess(pid: number): Living | undefined {
  // The second field is the program's name in parentheses, which may hold anything.
  const stat = read(`/proc/${pid}/stat`)
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || group === undefined || state === 'Z' || state === 'X') return undefined
  const variables = read(`/proc/${pid}/environ`)
  return { pid, parent: Number(parent), group: Number(group), variables: variables.includes(`${markName}=`) ? variables : undefined }
}

// One buffer for all: these files have no size, and a fresh buffer for each costs more than the reading.
let buffer = Buffer.allocUnsafe(65_536)
const largest = 4_194_304

function read(file: string): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    for (let length = 0; ; ) {
      const more = readSync(descriptor, buffer, length, buffer.length - length, null)
      length += more
      if (more === 0 || buffer.length >= largest) return buffer.toString('latin1', 0, length)
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(length)])
    }
  } catch {
    // It ended meanwhile, or its variables belong to somebody else.
    return ''
  } finally {
    if (descriptor !== undefined) closeDescriptor(descriptor)
  }
}
