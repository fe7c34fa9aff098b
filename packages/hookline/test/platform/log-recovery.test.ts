/** Starting on a damaged log: a torn end is set aside, a broken file is kept and said to be broken, nothing is repaired in silence. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verifyAuditLog } from '../../src/platform/log-verify.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { callsIn, entry, filesIn, logFolder, recordsIn, statesOf } from './log-folder.ts'

/** A log of five calls: its folder and its one file. */
async function written(calls = 5): Promise<{ folder: string; file: string; path: string }> {
  const folder = logFolder()
  const log = openAuditLog(folder)
  for (let index = 0; index < calls; index++) await log.append(entry(`c-${index}`))
  await log.close()
  const [file = ''] = filesIn(folder)
  return { folder, file, path: join(folder, file) }
}

/** Writes one more call with a new log, and gives the codes of its warnings. */
async function goOn(folder: string, call = 'later'): Promise<string[]> {
  const codes: string[] = []
  const log = openAuditLog(folder, { onWarning: (notice) => codes.push(notice.code) })
  await log.append(entry(call))
  await log.close()
  return codes
}

describe('a torn end', () => {
  test.each([1, 30, 200])('%i bytes short: what is left of the record is moved to a note, and a record says so', async (missing) => {
    const { folder, file, path } = await written()
    const whole = readFileSync(path)
    truncateSync(path, whole.length - missing)
    const start = whole.subarray(0, whole.length - 1).lastIndexOf(10) + 1
    const torn = whole.subarray(start, whole.length - missing)
    expect(await verifyAuditLog(folder)).toMatchObject([
      { state: 'torn', records: 5, problem: { file, seq: 6, detail: expect.stringContaining('ended by a crash') } },
    ])
    expect(await goOn(folder)).toEqual(['audit-recovered'])
    expect(readFileSync(`${path}.torn`)).toEqual(Buffer.concat([torn, Buffer.from('\n')]))
    expect(recordsIn(folder, file).slice(-2)).toMatchObject([
      { kind: 'recovered', seq: 6, bytes: torn.length, digest: createHash('sha256').update(torn).digest('hex'), note: `${file}.torn` },
      { kind: 'verdict', seq: 7, call: 'later' },
    ])
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'good', notes: [expect.stringContaining('set aside')] }])
  })

  test('a file with nothing but the beginning of its first record starts again', async () => {
    const { folder, file, path } = await written(1)
    truncateSync(path, 40)
    expect(await goOn(folder)).toEqual(['audit-recovered'])
    expect(recordsIn(folder, file)).toMatchObject([{ kind: 'opened', seq: 1 }, { kind: 'recovered', bytes: 40 }, { call: 'later' }])
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('is set aside by a writer that was already there', async () => {
    const { folder, file, path } = await written()
    const log = openAuditLog(folder)
    await log.append(entry('before'))
    appendFileSync(path, '{"v":1,"seq":8,"at":17')
    await log.append(entry('after'))
    await log.close()
    expect(recordsIn(folder, file).slice(-3)).toMatchObject([{ call: 'before' }, { kind: 'recovered', bytes: 22 }, { call: 'after' }])
    expect(await statesOf(folder)).toEqual(['good'])
  })

  test('zeros at the end, as after a power failure, are a torn end', async () => {
    const { folder, path } = await written()
    appendFileSync(path, Buffer.alloc(4_096))
    expect(await goOn(folder)).toEqual(['audit-recovered'])
    expect(await statesOf(folder)).toEqual(['good'])
  })
})

describe('a broken file is kept as it is, and a new one begins', () => {
  const text = (path: string) => readFileSync(path, 'utf8')
  const damages: [what: string, damage: (path: string) => void][] = [
    ['an edited record', (path) => writeFileSync(path, text(path).replace('"c-2"', '"c-9"'))],
    ['a removed record', (path) => writeFileSync(path, text(path).split('\n').toSpliced(3, 1).join('\n'))],
    ['a removed beginning', (path) => writeFileSync(path, text(path).split('\n').slice(1).join('\n'))],
    ['a whole line of something else at the end', (path) => appendFileSync(path, 'hello\n')],
    ['a torn record with more behind it', (path) => writeFileSync(path, `${text(path).slice(0, -30)}\n${text(path).split('\n')[2]}\n`)],
    ['something else altogether', (path) => writeFileSync(path, 'hello\nworld\n')],
  ]
  test.each(damages)('%s', async (_what, damage) => {
    const { folder, file, path } = await written()
    damage(path)
    const found = readFileSync(path)
    expect(await goOn(folder)).toEqual(['audit-broken'])
    expect(readFileSync(path)).toEqual(found)
    const [, next = ''] = filesIn(folder)
    expect(recordsIn(folder, next)).toMatchObject([
      { kind: 'broken-predecessor', file, found: createHash('sha256').update(found).digest('hex') },
      { call: 'later' },
    ])
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'broken', problem: { file } }])
    // Nobody warns twice of what is known, and the new file is gone on with.
    expect(await goOn(folder, 'latest')).toEqual([])
    expect(recordsIn(folder, next)).toHaveLength(3)
  })

  test('and stays broken when the old file is put back as it was', async () => {
    const { folder, file, path } = await written()
    const good = readFileSync(path)
    writeFileSync(path, good.toString().replace('"c-2"', '"c-9"'))
    await goOn(folder)
    writeFileSync(path, good)
    expect(await verifyAuditLog(folder)).toMatchObject([
      { state: 'broken', problem: { file, detail: expect.stringContaining('was not as it was written when') } },
    ])
  })
})

describe('under the hands of a writer', () => {
  const cases: [what: string, change: (path: string) => void, detail: RegExp][] = [
    ['records that are cut off', (path) => truncateSync(path, readFileSync(path).lastIndexOf(10, -2) + 1), /bytes were cut off/],
    ['a file that is emptied', (path) => truncateSync(path, 0), /bytes were cut off/],
    ['a file that is removed', (path) => rmSync(path), /was removed/],
    [
      'a file that is replaced by a copy',
      (path) => {
        writeFileSync(`${path}.copy`, readFileSync(path))
        renameSync(`${path}.copy`, path)
      },
      /was replaced/,
    ],
    ['a forged record at the end', (path) => appendFileSync(path, `${readFileSync(path, 'utf8').split('\n')[1]}\n`), /is record 2/],
  ]
  test.each(cases)('%s: the next file says so and goes on from what was known', async (_what, change, detail) => {
    const folder = logFolder()
    const codes: string[] = []
    const log = openAuditLog(folder, { onWarning: (notice) => codes.push(notice.code) })
    for (const call of ['c-1', 'c-2']) await log.append(entry(call))
    const [file = ''] = filesIn(folder)
    const last = recordsIn(folder, file).at(-1)
    change(join(folder, file))
    await log.append(entry('after'))
    await log.append(entry('again'))
    await log.close()
    expect(codes).toEqual(['audit-broken'])
    const next = filesIn(folder).at(-1) as string
    expect(recordsIn(folder, next)).toMatchObject([
      { kind: 'broken-predecessor', seq: 4, prev: last?.hash, file, detail: expect.stringMatching(detail), previous: { seq: 3, hash: last?.hash } },
      { seq: 5, call: 'after' },
      { seq: 6, call: 'again' },
    ])
    expect(await statesOf(folder)).toEqual(['broken'])
  })

  test('a folder that is removed is made again, and the loss is written down', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { required: true })
    await log.append(entry('c-1'))
    rmSync(folder, { recursive: true })
    await log.append(entry('c-2'))
    await log.close()
    expect(filesIn(folder)).toHaveLength(1)
    expect(recordsIn(folder, filesIn(folder)[0] as string)).toMatchObject([{ kind: 'broken-predecessor', detail: 'it was removed' }, { call: 'c-2' }])
    expect(await statesOf(folder)).toEqual(['broken'])
  })
})

describe('verifying', () => {
  test('finds a file of a chain that is missing', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder, { maxBytes: 800 })
    for (let index = 0; index < 12; index++) await log.append(entry(`c-${index}`))
    await log.close()
    const files = filesIn(folder)
    expect(files.length).toBeGreaterThan(4)
    const away = (file: string) => renameSync(join(folder, file), join(folder, `${file}.away`))
    const back = (file: string) => renameSync(join(folder, `${file}.away`), join(folder, file))
    for (const [index, file] of files.entries()) {
      away(file)
      const [chain] = await verifyAuditLog(folder)
      expect(chain?.state, file).toBe(index === files.length - 1 ? 'torn' : 'broken')
      back(file)
    }
    expect(await statesOf(folder)).toEqual(['good'])
    renameSync(join(folder, files[1] as string), join(folder, 'x'))
    renameSync(join(folder, files[2] as string), join(folder, files[1] as string))
    renameSync(join(folder, 'x'), join(folder, files[2] as string))
    expect(await statesOf(folder)).toEqual(['broken'])
  })

  test('finds a head that was noted, and misses one that was cut off', async () => {
    const { folder, file, path } = await written()
    const records = recordsIn(folder, file)
    for (const record of records) expect(await verifyAuditLog(folder, { head: record.hash })).toMatchObject([{ state: 'good', holdsHead: true }])
    truncateSync(path, readFileSync(path).lastIndexOf(10, -2) + 1)
    const [chain] = await verifyAuditLog(folder, { head: records.at(-1)?.hash as string })
    expect(chain?.state).toBe('good')
    expect(chain).not.toHaveProperty('holdsHead')
  })

  test('says of a file that it cannot be read', async () => {
    const { folder, path, file } = await written()
    rmSync(path)
    mkdirSync(path)
    expect(await verifyAuditLog(folder)).toMatchObject([{ state: 'unreadable', problem: { file } }])
  })

  test('says nothing about a log that is not there', async () => {
    expect(await verifyAuditLog(logFolder())).toEqual([])
    expect(existsSync(logFolder())).toBe(false)
  })

  test('reads all sessions in the order of time', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder)
    const order = ['a', 'b', 'a', 'c', 'b', 'c', 'a']
    for (const [index, session] of order.entries()) {
      await log.append(entry(`c-${index}`, { session }))
      await new Promise((done) => setTimeout(done, 3))
    }
    await log.close()
    expect(callsIn(folder)).toEqual(order.map((_, index) => `c-${index}`))
  })
})
