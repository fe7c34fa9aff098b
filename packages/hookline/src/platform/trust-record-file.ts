/** The text of one record of trust: JSON that is checked to the last field when it is read. */
import type { TrustRecord, TrustUnit } from '../config/trust-record.ts'
import type { TrustItem } from '../protocol/ports.ts'
import type { Identity } from './trust-workspace.ts'

/** A record with the folder that it is about. */
export interface RecordFile {
  readonly folder: Identity
  readonly record: TrustRecord
}

const unitKinds: readonly string[] = ['hook', 'rule', 'mode', 'env']
const itemKinds: readonly string[] = ['command', 'script', 'url', 'prompt', 'module', 'env', 'rule']

/** The text of a record. */
export function writeRecordText({ folder, record }: RecordFile): string {
  return `${JSON.stringify({ version: 1, folder, ...record }, undefined, 2)}\n`
}

/** The record in a file; `undefined` when anything about it is not as it must be. */
export function readRecordFile(bytes: Uint8Array): RecordFile | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
  if (!isObject(value) || value['version'] !== 1) return undefined
  const { folder, at, digest, units, items } = value
  if (!isIdentity(folder) || typeof at !== 'number' || !Number.isFinite(at) || !isDigest(digest)) return undefined
  if (!Array.isArray(units) || !units.every(isUnit) || !Array.isArray(items) || !items.every(isItem)) return undefined
  return { folder, record: { at, digest, units, items } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function isIdentity(value: unknown): value is Identity {
  if (!isObject(value)) return false
  const { path, device, inode, born } = value
  return typeof path === 'string' && typeof device === 'string' && typeof inode === 'string' && inode !== '' && isOptionalText(born)
}

function isUnit(value: unknown): value is TrustUnit {
  return (
    isObject(value) && unitKinds.includes(String(value['kind'])) && isDigest(value['digest']) && isDigest(value['definition']) && isOptionalText(value['hook'])
  )
}

function isItem(value: unknown): value is TrustItem {
  if (!isObject(value) || !itemKinds.includes(String(value['kind'])) || typeof value['text'] !== 'string') return false
  const { line } = value
  return ['hook', 'file', 'when'].every((key) => isOptionalText(value[key])) && (line === undefined || typeof line === 'number')
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
