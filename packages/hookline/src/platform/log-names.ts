/** Where the audit log stands and what its files are called: one chain per session, a number per file of it. */
import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { idText } from '../audit/ids.ts'
import { stateFolder } from './places.ts'

/** What a log was opened on: a folder with a chain per session, or one file whose chain all sessions share. */
export interface LogPlace {
  readonly folder: string
  /** The one chain; absent: each session has its own. */
  readonly only?: string
}

/** One file of a chain. */
export interface PartName {
  readonly chain: string
  /** From 1. */
  readonly number: number
  readonly path: string
}

const ending = '.jsonl'

/** A path that ends in `.jsonl` is one file, every other is a folder. Default: `log` in the state folder. */
export function logPlace(path?: string, env?: Readonly<Record<string, string | undefined>>): LogPlace {
  if (path === undefined) return { folder: stateFolder(env, 'log') }
  const whole = resolve(path)
  return whole.endsWith(ending) && basename(whole) !== ending ? { folder: dirname(whole), only: basename(whole).slice(0, -ending.length) } : { folder: whole }
}

/** The chain that a session's records go to. Ids are any text; the digest keeps those apart that look alike in a file name. */
export function chainOf({ only }: LogPlace, session: string): string {
  if (only !== undefined) return only
  const id = idText(session)
  const words = id
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return words === '' ? digest : `${words}-${digest}`
}

/** The file of that number: `name.jsonl`, `name.2.jsonl`, … */
export function partPath({ folder }: LogPlace, chain: string, number: number): string {
  return join(folder, number === 1 ? `${chain}${ending}` : `${chain}.${number}${ending}`)
}

/** The parts among the names of a folder, in order; of one chain, or of all. */
export function partsAmong(names: readonly string[], { folder, only }: LogPlace, chain = only): PartName[] {
  const parts = names.flatMap((name): PartName[] => {
    const part = partOf(name, chain)
    return part === undefined ? [] : [{ ...part, path: join(folder, name) }]
  })
  return parts.sort((a, b) => (a.chain === b.chain ? a.number - b.number : a.chain < b.chain ? -1 : 1))
}

function partOf(name: string, chain: string | undefined): Omit<PartName, 'path'> | undefined {
  if (!name.endsWith(ending)) return undefined
  const stem = name.slice(0, -ending.length)
  if (chain !== undefined) {
    if (stem === chain) return { chain, number: 1 }
    const number = stem.startsWith(`${chain}.`) ? /^[1-9]\d{0,8}$/.exec(stem.slice(chain.length + 1))?.[0] : undefined
    return number === undefined || number === '1' ? undefined : { chain, number: Number(number) }
  }
  const found = /^([a-z0-9_-]+)(?:\.([1-9]\d{0,8}))?$/.exec(stem)
  return found === null || found[2] === '1' ? undefined : { chain: found[1] as string, number: Number(found[2] ?? 1) }
}
