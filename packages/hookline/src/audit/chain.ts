/** The chain: every record holds the hash of the one before, so that an edit, a removal, a swap or an insertion shows. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { encodeLine } from './encode.ts'
import type { AuditEntry } from './record.ts'

/** Hashing, in lower-case hex. Node's own is several times faster than the neutral one. */
export interface Digests {
  sha256(bytes: Uint8Array): string
  hmac(key: Uint8Array, bytes: Uint8Array): string
}

/** Works in any runtime. */
export const neutralDigests: Digests = {
  sha256: (bytes) => bytesToHex(sha256(bytes)),
  hmac: (key, bytes) => bytesToHex(hmac(sha256, key, bytes)),
}

/** Where a chain stands: the number and hash of its last record. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

/** Before the first record of a session. */
export const origin: Head = { seq: 0, hash: '0'.repeat(64) }

/** What turns an entry into a record. */
export interface Sealing {
  readonly head: Head
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds of a clock that is never set. */
  readonly up: number
  /** Of this file; with it the record is sealed too. */
  readonly key?: Uint8Array | undefined
  readonly digests?: Digests | undefined
}

/** A record as it is written, and where the chain then stands. */
export interface SealedLine {
  /** With its newline. */
  readonly line: Uint8Array
  readonly head: Head
}

/** What follows the hashed bytes of a line: `,"hash":"…"}` and a newline. */
export const tailLength = 9 + 64 + 3
const newline = 10
const brace = 125
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Makes the line of an entry: canonical JSON, its hash, a newline. */
export function sealEntry(entry: AuditEntry, { head, at, up, key, digests = neutralDigests }: Sealing): SealedLine {
  const seq = head.seq + 1
  let body = encodeLine({ v: 1, seq, at, up: Math.round(up * 1_000) / 1_000, ...entry, prev: head.hash })
  if (key !== undefined) body = `${body.slice(0, -1)},"mac":"${digests.hmac(key, hashed(head.hash, encoder.encode(body)))}"}`
  const hash = digests.sha256(hashed(head.hash, encoder.encode(body)))
  return { line: encoder.encode(`${body.slice(0, -1)},"hash":"${hash}"}\n`), head: { seq, hash } }
}

/** prev ‖ length ‖ bytes: the hash before in its 64 hexadecimal digits, 8 bytes big-endian, the canonical record without its hash. */
export function hashed(prev: string, bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(72 + bytes.length)
  encoder.encodeInto(prev, message)
  new DataView(message.buffer).setUint32(68, bytes.length)
  message.set(bytes, 72)
  return message
}

/** The hashed bytes of a whole line and the hash at its end; `undefined` when the line does not end as a record does. */
export function openLine(line: Uint8Array): { body: Uint8Array; hash: string } | undefined {
  const start = line.length - tailLength
  if (start < 2 || line[line.length - 1] !== newline) return undefined
  const tail = decoder.decode(line.subarray(start))
  const hash = /^,"hash":"([0-9a-f]{64})"\}\n$/.exec(tail)?.[1]
  if (hash === undefined) return undefined
  return { body: closedAt(line, start), hash }
}

const macTail = 8 + 64 + 2

/** What the seal of a record was made over, and the seal; `undefined` when the record has none. */
export function openSeal(body: Uint8Array): { sealed: Uint8Array; mac: string } | undefined {
  const start = body.length - macTail
  if (start < 2) return undefined
  const mac = /^,"mac":"([0-9a-f]{64})"\}$/.exec(decoder.decode(body.subarray(start)))?.[1]
  if (mac === undefined) return undefined
  return { sealed: closedAt(body, start), mac }
}

/** A copy up to `end`, with the brace that closes it. */
function closedAt(bytes: Uint8Array, end: number): Uint8Array {
  // Not `slice`: that of a Buffer gives no copy.
  const closed = new Uint8Array(end + 1)
  closed.set(bytes.subarray(0, end))
  closed[end] = brace
  return closed
}

/** The key of a chain's first file. The base key is best kept elsewhere, with whoever verifies. */
export function firstKey(base: Uint8Array, chain: string): Uint8Array {
  return hmac(sha256, base, encoder.encode(`hookline audit ${chain}`))
}

/** The key of the next file. It cannot be turned back: who finds it cannot forge the files before. */
export function nextKey(key: Uint8Array): Uint8Array {
  return sha256(new Uint8Array([...encoder.encode('hookline audit next '), ...key]))
}

/** The key of each file of each chain, from one base key: what a log is sealed with and verified by. */
export function chainKeys(base: Uint8Array): (chain: string, number: number) => Uint8Array {
  // Files are asked for one after the other, so only the last key of a chain is kept.
  const last = new Map<string, { number: number; key: Uint8Array }>()
  return (chain, number) => {
    const known = last.get(chain)
    let at = known !== undefined && known.number <= number ? known : { number: 1, key: firstKey(base, chain) }
    while (at.number < number) at = { number: at.number + 1, key: nextKey(at.key) }
    last.set(chain, at)
    return at.key
  }
}
