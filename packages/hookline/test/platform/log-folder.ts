/** A folder for a log under test, and what stands in its files. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AuditRecord } from '../../src/audit/record.ts'
import { readAuditLog } from '../../src/platform/log-reader.ts'
import { verifyAuditLog } from '../../src/platform/log-verify.ts'

export { entry } from './log-entry.ts'

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, and in it the place of a log that is not there yet. */
export function logFolder(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-log-')))
  made.push(base)
  return join(base, 'log')
}

/** Files with records, oldest first. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** The records of a file, read without any of our own reading. */
export function recordsIn(folder: string, file: string): AuditRecord[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AuditRecord)
}

/** The calls of all verdicts, in the order of the log. */
export function callsIn(folder: string): string[] {
  return [...readAuditLog(folder)].flatMap((record) => (record.kind === 'verdict' ? [record.call as string] : []))
}

/** The state of every chain. */
export async function statesOf(folder: string): Promise<string[]> {
  return (await verifyAuditLog(folder)).map((chain) => chain.state)
}
