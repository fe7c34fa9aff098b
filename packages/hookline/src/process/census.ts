/** Who is left of a run: the living processes of its group, and those that left the group but carry its mark. Needs Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { carriesMark, markName } from './mark.ts'

/** A run's processes: the main one, which leads a group, and the mark that all of them inherit. */
export interface Tree {
  readonly leader: number
  readonly mark: string
}

/** A process of a tree. A stray has left the group, so that no signal to the group reaches it. */
export interface Member {
  readonly pid: number
  readonly stray: boolean
}

interface Living {
  readonly pid: number
  readonly group: number
  /** The variables it was started with; kept only where they hold marks at all. */
  readonly variables: string | undefined
}

let coming: Promise<readonly Living[] | undefined> | undefined

/**
 * The living processes of a tree, or `undefined` where the system does not tell.
 * A zombie does not live: in a container without an init it may stay for ever.
 * Questions of one turn of the event loop share one look, so that many runs ending at once stay cheap.
 */
export async function findLiving({ leader, mark }: Tree): Promise<readonly Member[] | undefined> {
  if (process.platform !== 'linux') return undefined
  coming ??= new Promise((resolve) => {
    setImmediate(() => {
      coming = undefined
      resolve(look())
    })
  })
  const all = await coming
  return all
    ?.filter(({ group, variables }) => group === leader || (variables !== undefined && carriesMark(variables, mark)))
    .map(({ pid, group }) => ({ pid, stray: group !== leader }))
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
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || group === undefined || state === 'Z' || state === 'X') return undefined
  const variables = read(`/proc/${pid}/environ`)
  return { pid, group: Number(group), variables: variables.includes(`${markName}=`) ? variables : undefined }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // It ended meanwhile, or its variables belong to somebody else.
    return ''
  }
}
