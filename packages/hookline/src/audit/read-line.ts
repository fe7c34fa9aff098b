/** Reads one line back into a record, for showing: whatever was changed, or has another shape than we write, is no record. */
import { type Digests, hashed, neutralDigests, openLine } from './chain.ts'
import type { AuditRecord } from './record.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const latest = 8.64e15

/** The record of a line with its newline; `undefined` when its hash does not fit. Its place in the chain is not looked at. */
export function readLine(line: Uint8Array, digests: Digests = neutralDigests): AuditRecord | undefined {
  const opened = openLine(line)
  if (opened === undefined) return undefined
  try {
    const record: unknown = JSON.parse(decoder.decode(opened.body))
    if (!isRecord(record) || digests.sha256(hashed(record.prev, opened.body)) !== opened.hash) return undefined
    return Object.assign(record, { hash: opened.hash })
  } catch {
    return undefined
  }
}

/** The fields that every reader relies on. */
export function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== 'object' || value === null) return false
  const one = value as Readonly<Record<string, unknown>>
  if (one['v'] !== 1 || !Number.isSafeInteger(one['seq']) || !texts(one, ['kind', 'session', 'prev']) || !/^[0-9a-f]{64}$/.test(one['prev'] as string))
    return false
  if (typeof one['at'] !== 'number' || !(Math.abs(one['at']) <= latest)) return false
  if (one['kind'] === 'verdict') return texts(one, ['event', 'decision', 'cause']) && Array.isArray(one['hooks']) && one['hooks'].every(isHook)
  return one['kind'] !== 'late' || (texts(one, ['event', 'hook']) && isEnding(one['ending']))
}

function isHook(hook: unknown): boolean {
  if (typeof hook !== 'object' || hook === null) return false
  const one = hook as Readonly<Record<string, unknown>>
  return (
    texts(one, ['id', 'type', 'outcome']) &&
    typeof one['ms'] === 'number' &&
    isEnding(one['ending']) &&
    typeof one['source'] === 'object' &&
    one['source'] !== null
  )
}

function isEnding(ending: unknown): boolean {
  return typeof ending === 'object' && ending !== null && typeof (ending as { kind?: unknown }).kind === 'string'
}

function texts(one: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return keys.every((key) => typeof one[key] === 'string')
}
