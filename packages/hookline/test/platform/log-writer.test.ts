/** Writing an audit log: files, modes, order, sync levels, rotation. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { chainKeys } from '../../src/audit/chain.ts'
import type { AuditRecord } from '../../src/audit/record.ts'
import { type LogFiles, nodeLogFiles } from '../../src/platform/log-files.ts'
import { verifyAuditLog } from '../../src/platform/log-verify.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import type { Diagnostic } from '../../src/protocol/diagnostic.ts'
import { callsIn, entry, filesIn, logFolder, recordsIn, statesOf } from './log-folder.ts'

/** File calls that are counted by name. */
function counted(): { files: LogFiles; calls: Record<string, number> } {
  const calls: Record<string, number> = {}
  const files = Object.fromEntries(
    Object.entries(nodeLogFiles).map(([name, call]) => [
      name,
      (...given: never[]) => {
        calls[name] = (calls[name] ?? 0) + 1
        return (call as (...given: never[]) => unknown)(...given)
      },
    ]),
  ) as unknown as LogFiles
  return { files, calls }
}

describe('files', () => {
  test('are made with the first record, for this user only, and opening and closing touches nothing', async () => {
    const folder = logFolder()
    const { files, calls } = counted()
    await openAuditLog(folder, { files }).close()
    expect([existsSync(folder), calls]).toEqual([false, {}])
    const log = openAuditLog(folder)
    await log.append(entry('c-1'))
    await log.close()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const [file = ''] = filesIn(folder)
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual([file])
  })

  test('a record is in the file when append comes back, and stands behind the one that opens the file', () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { sync: 'batch' })
    expect(log.append(entry('c-1'))).toBeUndefined()
    expect(recordsIn(folder, filesIn(folder)[0] as string)).toMatchObject([
      { v: 1, seq: 1, kind: 'opened', session: 's-1', pid: process.pid },
      { v: 1, seq: 2, kind: 'verdict', call: 'c-1', at: expect.any(Number), up: expect.any(Number) },
    ])
  })

  test('each session has its own, whatever its id', async () => {
    const folder = logFolder()
    const sessions = ['s-1', 'S-1', '../../etc/passwd', '', '.', 'a/b', 'a-b', 'x'.repeat(5_000), 'con', '日本', '\n\u202e']
    const log = openAuditLog(folder)
    for (const session of sessions) await log.append(entry('c', { session }))
    await log.close()
    const files = filesIn(folder)
    expect(files).toHaveLength(sessions.length)
    for (const file of files) expect(file).toMatch(/^[a-z0-9_-]{1,60}\.jsonl$/)
    expect(new Set(files.map((file) => (recordsIn(folder, file)[1] as AuditRecord).session)).size).toBe(sessions.length)
    expect((await statesOf(folder)).every((state) => state === 'good')).toBe(true)
  })

  test('a path that ends in .jsonl is one file for all sessions', async () => {
    const folder = logFolder()
    const log = openAuditLog(join(folder, 'audit.jsonl'))
    for (const session of ['a', 'b', 'a']) await log.append(entry('c', { session }))
    await log.close()
    expect(filesIn(folder)).toEqual(['audit.jsonl'])
    expect(recordsIn(folder, 'audit.jsonl').map((record) => record.session)).toEqual(['a', 'a', 'b', 'a'])
    expect(await verifyAuditLog(join(folder, 'audit.jsonl'))).toMatchObject([{ state: 'good', records: 4 }])
  })

  test('a link where the file should be is not followed', async () => {
    const folder = logFolder()
    await openAuditLog(folder).append(entry('c-1'))
    const [file = ''] = filesIn(folder)
    const other = logFolder()
    mkdirSync(other, { mode: 0o700 })
    writeFileSync(join(other, 'target'), 'mine\n')
    symlinkSync(join(other, 'target'), join(other, file))
    await expect(openAuditLog(other, { required: true }).append(entry('c-1'))).rejects.toMatchObject({ code: 'audit-unwritable' })
    expect(readFileSync(join(other, 'target'), 'utf8')).toBe('mine\n')
  })

  test('a file that others could read is made private', async () => {
    const folder = logFolder()
    await openAuditLog(folder).append(entry('c-1'))
    const file = join(folder, filesIn(folder)[0] as string)
    chmodSync(file, 0o644)
    await openAuditLog(folder).append(entry('c-2'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('a folder in which others can write is warned about, once', async () => {
    const folder = logFolder()
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    const told: Diagnostic[] = []
    const log = openAuditLog(folder, { onWarning: (notice) => told.push(notice) })
    for (const call of ['c-1', 'c-2']) await log.append(entry(call))
    expect(told.map((one) => one.code)).toEqual(['audit-folder-open'])
  })
})

describe('one chain', () => {
  test('is shared by several logs that take turns', async () => {
    const folder = logFolder()
    const logs = [openAuditLog(folder), openAuditLog(folder), openAuditLog(folder)]
    for (let round = 0; round < 20; round++) await logs[round % 3]?.append(entry(`c-${round}`))
    for (const log of logs) await log.close()
    expect(callsIn(folder)).toEqual(Array.from({ length: 20 }, (_, round) => `c-${round}`))
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'good', records: 21, head: { seq: 21 } }])
  })

  test('is gone on with by a later log', async () => {
    const folder = logFolder()
    for (let round = 0; round < 5; round++) {
      const log = openAuditLog(folder)
      await log.append(entry(`c-${round}`))
      await log.close()
    }
    expect(callsIn(folder)).toEqual(['c-0', 'c-1', 'c-2', 'c-3', 'c-4'])
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('keeps the order in which records were given, when many are given at once', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder)
    const calls = Array.from({ length: 300 }, (_, index) => `c-${index}`)
    await Promise.all(calls.map(async (call, index) => log.append(entry(call, { decision: index % 3 === 0 ? 'deny' : 'allow' }))))
    await log.close()
    expect(callsIn(folder)).toEqual(calls)
  })

  test('more sessions than files are kept open for are all written', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { sync: 'off' })
    for (const round of [1, 2]) for (let session = 0; session < 150; session++) await log.append(entry(`c-${round}`, { session: `s-${session}` }))
    await log.close()
    const chains = await verifyAuditLog(folder)
    expect(chains).toHaveLength(150)
    expect(chains.every((chain) => chain.state === 'good' && chain.records === 3)).toBe(true)
  })
})

describe('sync', () => {
  test('decision: a refusal is on the disk before append comes back, others do not wait', async () => {
    const { files, calls } = counted()
    const log = openAuditLog(logFolder(), { files })
    expect(log.append(entry('c-1'))).toBeUndefined()
    expect(calls['flush']).toBeUndefined()
    const refused = log.append(entry('c-2', { decision: 'deny' }))
    expect(refused).toBeInstanceOf(Promise)
    await refused
    expect(calls['flush']).toBe(1)
    await log.close()
    expect(calls['flush']).toBe(1)
  })

  test('decision: refusals that come together share a flush', async () => {
    const { files, calls } = counted()
    const log = openAuditLog(logFolder(), { files })
    await Promise.all(Array.from({ length: 100 }, async (_, index) => log.append(entry(`c-${index}`, { decision: 'deny' }))))
    expect(calls['flush']).toBeLessThanOrEqual(2)
  })

  test('batch: nothing is waited for, 64 records or 100 ms bring a flush, and closing one for the rest', async () => {
    const { files, calls } = counted()
    const log = openAuditLog(logFolder(), { files, sync: 'batch' })
    for (let index = 0; index < 63; index++) expect(log.append(entry(`c-${index}`, { decision: 'deny' }))).toBeUndefined()
    expect(calls['flush']).toBeUndefined()
    expect(log.append(entry('c-63'))).toBeUndefined()
    expect(calls['flush']).toBe(1)
    expect(log.append(entry('c-64'))).toBeUndefined()
    for (let patience = 0; calls['flush'] === 1 && patience < 100; patience++) await wait(20)
    expect(calls['flush']).toBe(2)
    expect(log.append(entry('c-65'))).toBeUndefined()
    await log.close()
    expect(calls['flush']).toBe(3)
  })

  test('off: the disk is never asked', async () => {
    const { files, calls } = counted()
    const log = openAuditLog(logFolder(), { files, sync: 'off' })
    for (let index = 0; index < 200; index++) await log.append(entry(`c-${index}`, { decision: 'deny' }))
    await log.close()
    expect([calls['flush'], calls['flushFolder']]).toEqual([undefined, undefined])
  })

  test('a record takes five file calls, and no reading', async () => {
    const { files, calls } = counted()
    const log = openAuditLog(logFolder(), { files, sync: 'off' })
    await log.append(entry('c-0'))
    for (const name of Object.keys(calls)) delete calls[name]
    for (let index = 0; index < 10; index++) await log.append(entry(`c-${index}`))
    expect(calls).toEqual({ mark: 10, look: 20, write: 10, remove: 10 })
  })

  test('a thousand records take no more than ten times what they should', async () => {
    const log = openAuditLog(logFolder(), { sync: 'batch' })
    await log.append(entry('first'))
    const started = process.cpuUsage()
    for (let index = 0; index < 1_000; index++) await log.append(entry(`c-${index}`))
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000).toBeLessThan(2_000)
    await log.close()
  })
})

describe('rotation', () => {
  test('a full file names the next, which begins with its last hash; numbers go on', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { maxBytes: 2_000, keep: 100 })
    for (let index = 0; index < 40; index++) await log.append(entry(`c-${index}`))
    await log.close()
    const files = filesIn(folder)
    expect(files.length).toBeGreaterThan(5)
    for (const [index, file] of files.entries()) {
      const records = recordsIn(folder, file)
      expect(statSync(join(folder, file)).size).toBeLessThan(2_500)
      const before = index === 0 ? undefined : recordsIn(folder, files[index - 1] as string).at(-1)
      if (before !== undefined) {
        expect(before).toMatchObject({ kind: 'rotated', next: file })
        expect(records[0]).toMatchObject({
          kind: 'opened',
          seq: before.seq + 1,
          prev: before.hash,
          previous: { file: files[index - 1], seq: before.seq, hash: before.hash },
        })
      }
    }
    expect(callsIn(folder)).toEqual(Array.from({ length: 40 }, (_, index) => `c-${index}`))
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('other writers follow into the next file', async () => {
    const folder = logFolder()
    const logs = [openAuditLog(folder, { maxBytes: 1_500 }), openAuditLog(folder, { maxBytes: 1_500 })]
    for (let index = 0; index < 40; index++) await logs[index % 2]?.append(entry(`c-${index}`))
    for (const log of logs) await log.close()
    expect(callsIn(folder)).toHaveLength(40)
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('only so many files are kept; the next says which were dropped, and a later writer finds its way', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { maxBytes: 1_000, keep: 3 })
    for (let index = 0; index < 40; index++) await log.append(entry(`c-${index}`))
    await log.close()
    expect(filesIn(folder)).toHaveLength(3)
    const later = openAuditLog(folder, { maxBytes: 1_000, keep: 3 })
    await later.append(entry('c-40'))
    await later.close()
    expect(callsIn(folder).at(-1)).toBe('c-40')
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'good', notes: expect.arrayContaining([expect.stringContaining('dropped')]) }])
  })

  test('a record larger than a file gets a file to itself', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { maxBytes: 500 })
    for (let index = 0; index < 3; index++) await log.append({ ...entry(`c-${index}`), reason: 'x'.repeat(2_000) } as never)
    await log.close()
    expect(filesIn(folder)).toHaveLength(3)
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('a writer that died between two files is gone on from', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { maxBytes: 1_000 })
    for (let index = 0; index < 8; index++) await log.append(entry(`c-${index}`))
    await log.close()
    const last = filesIn(folder).at(-1) as string
    // As if it had made the file and written nothing.
    writeFileSync(join(folder, last), '')
    const later = openAuditLog(folder, { maxBytes: 1_000 })
    await later.append(entry('later'))
    await later.close()
    expect(callsIn(folder).at(-1)).toBe('later')
    expect(await statesOf(folder)).toEqual(['good'])
  })
})

test('a sealed log verifies with its base key and with no other', async () => {
  const folder = logFolder()
  const base = new Uint8Array(32).fill(5)
  const log = openAuditLog(folder, { keyFor: chainKeys(base), maxBytes: 2_000 })
  for (let index = 0; index < 20; index++) await log.append(entry(`c-${index}`))
  await log.close()
  expect(filesIn(folder).length).toBeGreaterThan(2)
  expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'good' }])
  expect(await verifyAuditLog(folder, { key: base })).toMatchObject([{ state: 'good' }])
  expect(await verifyAuditLog(folder, { key: new Uint8Array(32) })).toMatchObject([
    { state: 'broken', problem: { seq: 1, detail: expect.stringContaining('key') } },
  ])
})

test('digests of inputs are equal for equal inputs of one log, and say nothing in another', () => {
  const folder = logFolder()
  const input = new TextEncoder().encode('{"a":1}')
  const digest = openAuditLog(folder).digestInput(input)
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(openAuditLog(folder).digestInput(input)).toBe(digest)
  expect(openAuditLog(logFolder()).digestInput(input)).not.toBe(digest)
  expect(statSync(join(folder, 'input.key')).mode & 0o777).toBe(0o600)
})

test('after closing, a record is refused', async () => {
  const log = openAuditLog(logFolder())
  await log.close()
  await expect(log.append(entry('c-1'))).rejects.toMatchObject({ code: 'closed' })
})

test.each([
  ['an empty path', () => openAuditLog('')],
  ['an unknown sync level', () => openAuditLog('x', { sync: 'always' as never })],
  ['a size of nothing', () => openAuditLog('x', { maxBytes: 0 })],
])('%s is refused at once', (_what, open) => {
  expect(open).toThrow(expect.objectContaining({ code: 'invalid-option' }))
})

test('what is appended by somebody else between two records is seen', async () => {
  const folder = logFolder()
  const told: Diagnostic[] = []
  const log = openAuditLog(folder, { onWarning: (notice) => told.push(notice) })
  await log.append(entry('c-1'))
  const [file = ''] = filesIn(folder)
  appendFileSync(join(folder, file), '{"v":1}\n')
  await log.append(entry('c-2'))
  await log.close()
  expect(told.map((one) => one.code)).toEqual(['audit-broken'])
  expect(filesIn(folder)).toHaveLength(2)
})
