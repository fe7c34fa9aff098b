/** A clock that is set back, or far ahead, loses no record, breaks no chain and locks nobody out. */
import { afterEach, expect, test, vi } from 'vitest'
import { readAuditLog } from '../../src/platform/log-reader.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { TrustStore } from '../../src/platform/trust-store.ts'
import { entry, logFolder, statesOf } from './log-folder.ts'

afterEach(() => void vi.useRealTimers())
const day = 86_400_000

test.each<[how: string, by: readonly number[]]>([
  ['set back by a day, within a writer', [0, -day, -day]],
  ['set ahead and back again', [0, 400 * day, 0]],
  ['before the epoch', [0, -60 * 365 * day, 0]],
])('the clock is %s: order, chain and locks hold', async (_, by) => {
  const folder = logFolder()
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  // Two writers take turns, as two processes do.
  const logs = [openAuditLog(folder, { required: true }), openAuditLog(folder, { required: true })]
  for (const [at, offset] of by.entries()) {
    vi.setSystemTime(now + offset)
    for (const [writer, log] of logs.entries()) await log.append(entry(`c-${at}-${writer}`, { decision: 'deny' }))
  }
  for (const log of logs) await log.close()
  const records = [...readAuditLog(folder)].filter(({ kind }) => kind === 'verdict')
  expect(records.map((record) => ('call' in record ? record.call : ''))).toEqual(by.flatMap((_one, at) => [`c-${at}-0`, `c-${at}-1`]))
  expect(records.map(({ up }) => up)).toEqual(records.map(({ up }) => up).toSorted((a, b) => a - b))
  expect(await statesOf(folder)).toEqual(['good'])
})

test('a record of trust from tomorrow is still a record', async () => {
  const folder = { path: '/p', device: '1', inode: '2' }
  const store = new TrustStore(logFolder())
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + day)
  const digest = 'a'.repeat(64)
  await store.write(folder, { at: Date.now(), digest, units: [], items: [] })
  vi.setSystemTime(Date.now() - 10 * day)
  expect(store.read(folder)).toMatchObject({ kind: 'record' })
  await store.write(folder, { at: Date.now(), digest, units: [], items: [] })
  expect(store.read(folder)).toMatchObject({ kind: 'record', record: { at: Date.now() } })
})
