/** The digest of whatever trust is tied to. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonical } from './digest.ts'

/** SHA-256 of canonical JSON, in lower-case hex: the order of keys does not count. */
export function hash(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(canonical(value))))
}
