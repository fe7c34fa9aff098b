/** Every file call of the log fails once, in every place, in every way: no store is damaged, nothing acknowledged is lost, no foreign error comes out. */
import { appendFileSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HooklineError } from '../../src/errors.ts'
import { type LogFiles, nodeLogFiles } from '../../src/platform/log-files.ts'
import { verifyAuditLog } from '../../src/platform/log-verify.ts'
import { type AuditLogOptions, openAuditLog } from '../../src/platform/log-writer.ts'
import { callsIn, entry, filesIn, logFolder, recordsIn, statesOf } from './log-folder.ts'

type Name = keyof LogFiles
const codes = ['ENOSPC', 'EIO', 'EMFILE', 'EAGAIN', 'EACCES'] as const

/** File calls of which the n-th of a name fails. With `half`, a write first takes half of its bytes. */
function failing(name: Name, { nth, code, half = false }: { nth: number; code: string; half?: boolean }): { files: LogFiles; failed: () => boolean } {
  let count = 0
  let failed = false
  const fail = (given: readonly unknown[]): never => {
    failed = true
    if (half && name === 'write') nodeLogFiles.write(given[0] as number, (given[1] as Uint8Array).subarray(0, (given[1] as Uint8Array).length >> 1))
    throw Object.assign(new Error(`${code}: ${name}`), { code })
  }
  const files = { ...nodeLogFiles } as unknown as Record<string, (...given: never[]) => unknown>
  const call = files[name] as (...given: unknown[]) => unknown
  files[name] = (...given: unknown[]) => {
    count += 1
    if (count !== nth) return call(...given)
    if (name === 'flush' || name === 'flushFolder') return Promise.resolve().then(() => fail(given))
    return fail(given)
  }
  return { files: files as unknown as LogFiles, failed: () => failed }
}

/** A life of a log: joins one that was torn, refuses, allows, rotates, digests. Gives the calls that were acknowledged. */
async function live(folder: string, options: AuditLogOptions): Promise<string[]> {
  const acknowledged: string[] = []
  const log = openAuditLog(folder, { maxBytes: 1_500, ...options })
  log.digestInput(Buffer.from('x'))
  for (let index = 0; index < 8; index++) {
    const call = `c-${index}`
    try {
      await log.append(entry(call, { decision: index % 2 === 0 ? 'deny' : 'allow' }))
      if (log.standing === undefined) acknowledged.push(call)
    } catch (error) {
      expect(error).toBeInstanceOf(HooklineError)
      expect(error).toMatchObject({ code: 'audit-unwritable' })
    }
  }
  await log.close()
  return acknowledged
}

/** A log that another process has left, torn. */
async function left(): Promise<string> {
  const folder = logFolder()
  const log = openAuditLog(folder)
  for (const call of ['a-1', 'a-2']) await log.append(entry(call))
  await log.close()
  const path = join(folder, filesIn(folder)[0] as string)
  truncateSync(path, readFileSync(path).length - 20)
  return folder
}

const names = Object.keys(nodeLogFiles) as Name[]
const scenarios: [what: string, begin: () => string | Promise<string>, keep: number][] = [
  ['a new log', logFolder, 16],
  ['a torn one', left, 16],
  ['one whose old files are dropped', logFolder, 2],
]

describe.each(scenarios)('in %s', (_what, begin, keep) => {
  describe.each([true, false])('required: %s', (required) => {
    test.each(names)('%s', { timeout: 120_000 }, async (name) => {
      let injected = 0
      for (let nth = 1; nth < 60; nth++) {
        const code = codes[nth % codes.length] as string
        // The system never takes bytes and says EAGAIN.
        const half = nth % 2 === 1 && code !== 'EAGAIN'
        const folder = await begin()
        const before = existing(folder)
        const { files, failed } = failing(name, { nth, code, half })
        const acknowledged = await live(folder, { files, required, keep })
        if (!failed()) break
        injected += 1
        const where = `${name} call ${nth} ${code}`
        // Whoever comes next, with a disk that works, goes on.
        const next = openAuditLog(folder, { required: true })
        await next.append(entry('next'))
        await next.close()
        const calls = callsIn(folder)
        expect(calls, where).toEqual([...new Set(calls)])
        const kept = keep < 16 ? acknowledged.slice(-3) : [...before, ...acknowledged]
        expect(calls, where).toEqual(expect.arrayContaining([...kept, 'next']))
        const chains = await verifyAuditLog(folder)
        expect(
          chains.map((chain) => chain.state),
          `${where} ${JSON.stringify(chains)}`,
        ).toEqual(['good'])
        expect(
          readdirSync(folder).filter((file) => file.includes('.lock')),
          where,
        ).toEqual([])
      }
      if (['facts', 'look', 'open', 'write', 'mark', 'flush'].includes(name)) expect(injected).toBeGreaterThan(0)
    })
  })
})

/** Calls that stand in whole records. */
function existing(folder: string): string[] {
  try {
    return callsIn(folder)
  } catch {
    return []
  }
}

describe('a disk that is full', () => {
  /** File calls that refuse every write while `full` holds. */
  function fillable(): { files: LogFiles; disk: { full: boolean } } {
    const disk = { full: false }
    const refuse = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    const files: LogFiles = {
      ...nodeLogFiles,
      write: (fd, bytes) => (disk.full ? refuse() : nodeLogFiles.write(fd, bytes)),
      mark: (path, text) => (disk.full ? refuse() : nodeLogFiles.mark(path, text)),
    }
    return { files, disk }
  }

  test('is warned about once, and a gap says afterwards how much is missing', async () => {
    const folder = logFolder()
    const { files, disk } = fillable()
    const told: string[] = []
    const log = openAuditLog(folder, { files, onWarning: (notice) => told.push(`${notice.code}: ${notice.message}`) })
    await log.append(entry('c-1'))
    disk.full = true
    for (const call of ['c-2', 'c-3', 'c-4']) expect(log.append(entry(call, { decision: 'deny' }))).toBeUndefined()
    expect(told).toEqual([expect.stringMatching(/^audit-gap: The audit log in .* cannot be written: the disk is full \(ENOSPC\)\.$/)])
    expect(log.standing?.code).toBe('audit-gap')
    disk.full = false
    await log.append(entry('c-5'))
    expect(log.standing).toBeUndefined()
    await log.close()
    expect(recordsIn(folder, filesIn(folder)[0] as string).slice(-2)).toMatchObject([
      { kind: 'gap', records: 3, why: 'ENOSPC', since: expect.any(Number) },
      { call: 'c-5' },
    ])
    expect(callsIn(folder)).toEqual(['c-1', 'c-5'])
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'good', notes: [expect.stringContaining('3 records could not be written')] }])
  })

  test('refuses every call where the log is required, and says what to do', async () => {
    const { files, disk } = fillable()
    const log = openAuditLog(logFolder(), { files, required: true })
    await log.append(entry('c-1'))
    disk.full = true
    await expect(log.append(entry('c-2'))).rejects.toMatchObject({
      name: 'HooklineError',
      code: 'audit-unwritable',
      message: expect.stringContaining('the disk is full'),
      hint: expect.stringContaining('room'),
    })
    disk.full = false
    await log.append(entry('c-3'))
    await log.close()
  })

  test('stands until every session can be written again', async () => {
    const { files, disk } = fillable()
    const log = openAuditLog(logFolder(), { files })
    disk.full = true
    for (const session of ['a', 'b']) await log.append(entry('c', { session }))
    disk.full = false
    await log.append(entry('c', { session: 'a' }))
    expect(log.standing).toBeDefined()
    await log.append(entry('c', { session: 'b' }))
    expect(log.standing).toBeUndefined()
    await log.close()
  })

  test('that takes half a record leaves no half record', async () => {
    const folder = logFolder()
    const { files } = failing('write', { nth: 3, code: 'ENOSPC', half: true })
    const short: LogFiles = { ...files, write: (fd, bytes) => (bytes.length > 100 ? nodeLogFiles.write(fd, bytes.subarray(0, 100)) : files.write(fd, bytes)) }
    const log = openAuditLog(folder, { files: short })
    for (const call of ['c-1', 'c-2', 'c-3']) await log.append(entry(call))
    await log.close()
    expect(await statesOf(folder)).toEqual(['good'])
  })
})

test('a listener of warnings that throws keeps nothing from being written', async () => {
  const folder = await left()
  const log = openAuditLog(folder, {
    required: true,
    onWarning: () => {
      throw new Error('mine')
    },
  })
  await log.append(entry('c-1'))
  await log.close()
  expect(callsIn(folder)).toEqual(['a-1', 'c-1'])
})

test('a record that was appended with a broken flush is there, and the failure is said', async () => {
  const folder = logFolder()
  const { files } = failing('flush', { nth: 1, code: 'EIO' })
  const log = openAuditLog(folder, { files, required: true })
  await expect(log.append(entry('c-1', { decision: 'deny' }))).rejects.toMatchObject({
    code: 'audit-unwritable',
    message: expect.stringContaining('the disk does not work'),
  })
  appendFileSync(join(folder, 'unrelated.txt'), 'x')
  await log.append(entry('c-2'))
  await log.close()
  expect(callsIn(folder)).toEqual(['c-1', 'c-2'])
})
