/** Ids as a record keeps them: whole, so that no two are taken for one; only what is far too long is shortened, and then told apart by a digest. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const longest = 200

/** The id, or its beginning with a digest of the whole. Ids are not masked: they name things, and are chosen by programs. */
export function idText(id: string): string {
  if (id.length <= longest) return id
  return `${id.slice(0, 160).replace(/[\uD800-\uDBFF]$/, '')}…${bytesToHex(sha256(utf8ToBytes(id))).slice(0, 16)}`
}
