/** Walks a chain line by line and says where it is first wrong, and whether it was cut short by a crash. */
import { type Digests, type Head, hashed, neutralDigests, openLine, openSeal, origin } from './chain.ts'
import type { AuditRecord } from './record.ts'

/** What is wrong with a line. */
export type Flaw = 'not-a-record' | 'changed' | 'out-of-order' | 'seal'

/** The first line that does not fit. */
export interface ChainProblem {
  readonly flaw: Flaw
  /** The number that the record at this place must have. */
  readonly seq: number
  /** Counted from 1, in this file. */
  readonly line: number
  readonly detail: string
}

/** What a walk found. */
export interface ChainReport {
  /** `torn`: all whole records fit, and after them stands the beginning of one that was never finished. */
  readonly state: 'good' | 'torn' | 'broken'
  /** Records that fit. */
  readonly records: number
  /** The last record that fits. */
  readonly head: Head
  readonly problem?: ChainProblem
  /** Bytes of the unfinished record. */
  readonly torn?: number
}

/** How to walk. */
export interface WalkOptions {
  /** Where the chain stood before the first line; `'anywhere'`: it is believed what it says. Default: the beginning of a session. */
  readonly from?: Head | 'anywhere'
  /** Of this file: every record must be sealed with it. */
  readonly key?: Uint8Array | undefined
  readonly digests?: Digests | undefined
}

/** A walk along one file. Give it every line with its newline, in order; a last line without one is a torn end. */
export class ChainWalk {
  #head: Head | undefined
  #records = 0
  #lines = 0
  #problem: ChainProblem | undefined
  #torn: number | undefined
  readonly #options: WalkOptions
  readonly #digests: Digests

  constructor(options: WalkOptions = {}) {
    this.#options = options
    this.#digests = options.digests ?? neutralDigests
    const from = options.from ?? origin
    this.#head = from === 'anywhere' ? undefined : from
  }

  /** The record of the line when it fits; nothing is looked at after the first that does not. */
  take(line: Uint8Array): AuditRecord | undefined {
    if (this.#problem !== undefined) return undefined
    if (this.#torn !== undefined) return this.#wrong('not-a-record', 'stands after the unfinished record')
    this.#lines += 1
    if (line[line.length - 1] !== 10) return this.#end(line)
    const opened = openLine(line)
    const record = opened === undefined ? undefined : parse(opened.body)
    if (opened === undefined || record === undefined) return this.#wrong('not-a-record', 'is no whole record')
    const head = this.#head ?? { seq: record.seq - 1, hash: record.prev }
    if (record.seq !== head.seq + 1 || record.prev !== head.hash) return this.#misplaced(record, opened, head)
    if (this.#digests.sha256(hashed(record.prev, opened.body)) !== opened.hash) return this.#wrong('changed', 'was changed: its hash does not fit')
    if (!this.#sealed(record, opened.body)) return this.#wrong('seal', record.mac === undefined ? 'is not sealed' : 'was not sealed with this key')
    this.#head = { seq: record.seq, hash: opened.hash }
    this.#records += 1
    return Object.assign(record, { hash: opened.hash })
  }

  get report(): ChainReport {
    const head = this.#head ?? origin
    const found = { records: this.#records, head }
    if (this.#problem !== undefined) return { state: 'broken', ...found, problem: this.#problem }
    return this.#torn === undefined ? { state: 'good', ...found } : { state: 'torn', ...found, torn: this.#torn }
  }

  /** A line without its end: the beginning of a record, unless a whole one can be seen in it. */
  #end(line: Uint8Array): undefined {
    if (hidesRecord(line)) return this.#wrong('not-a-record', 'is a whole record with something else at its end')
    this.#torn = line.length
    return undefined
  }

  /** Says whether a record was changed, or is a good one in the wrong place. */
  #misplaced(record: AuditRecord, opened: { body: Uint8Array; hash: string }, head: Head): undefined {
    if (this.#digests.sha256(hashed(record.prev, opened.body)) !== opened.hash) return this.#wrong('changed', 'was changed: its hash does not fit')
    return this.#wrong(
      'out-of-order',
      record.seq === head.seq + 1 ? 'does not follow the record before it' : `is record ${record.seq}: something was removed, inserted or moved`,
    )
  }

  #sealed(record: AuditRecord, body: Uint8Array): boolean {
    const { key } = this.#options
    if (key === undefined) return true
    const seal = openSeal(body)
    return seal !== undefined && this.#digests.hmac(key, hashed(record.prev, seal.sealed)) === seal.mac
  }

  #wrong(flaw: Flaw, what: string): undefined {
    const seq = (this.#head?.seq ?? 0) + 1
    this.#problem = { flaw, seq, line: this.#lines, detail: `line ${this.#lines} ${what}` }
    return undefined
  }
}

/** Walks all lines of one file, each with its newline. */
export function verifyChain(lines: Iterable<Uint8Array>, options: WalkOptions = {}): ChainReport {
  const walk = new ChainWalk(options)
  for (const line of lines) walk.take(line)
  return walk.report
}

const hash = /^[0-9a-f]{64}$/
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(body: Uint8Array): AuditRecord | undefined {
  try {
    const record = JSON.parse(decoder.decode(body)) as AuditRecord
    return record.v === 1 && Number.isSafeInteger(record.seq) && hash.test(record.prev) && typeof record.kind === 'string' ? record : undefined
  } catch {
    return undefined
  }
}

/** Whether the end of a record stands inside a line that is not ended: then no crash made it. */
function hidesRecord(line: Uint8Array): boolean {
  return /,"hash":"[0-9a-f]{64}"\}./s.test(new TextDecoder('latin1').decode(line))
}
