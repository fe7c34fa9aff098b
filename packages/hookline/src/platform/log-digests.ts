/** Hashing for the audit log, by Node: several times faster than the runtime-neutral one, with the same results. */
import { createHmac, hash } from 'node:crypto'
import type { Digests } from '../audit/chain.ts'

export const nodeDigests: Digests = {
  sha256: (bytes) => hash('sha256', bytes, 'hex'),
  hmac: (key, bytes) => createHmac('sha256', key).update(bytes).digest('hex'),
}
