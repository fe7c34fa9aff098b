/** Many processes at one log, and processes that are killed: nothing acknowledged is lost, and the chain holds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditLog } from '../../src/platform/log-verify.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { callsIn, entry, logFolder } from './log-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-writer-'))
const program = join(folder, 'writer.mjs')
beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('log-child.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A writer process, what it acknowledged so far, and its end. */
interface Writer {
  readonly child: ChildProcess
  readonly acknowledged: string[]
  readonly ready: Promise<void>
  readonly ended: Promise<{ code: number | null; stderr: string }>
}

function start(
  log: string,
  { session = 's-1', count, tag, sync = 'decision', env = {} }: { session?: string; count: number; tag: string; sync?: string; env?: Record<string, string> },
): Writer {
  const child = spawn(process.execPath, [program, log, session, String(count), tag, sync], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const acknowledged: string[] = []
  let stderr = ''
  let rest = ''
  let isReady: () => void = () => undefined
  const ready = new Promise<void>((done) => (isReady = done))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'ready') isReady()
      else if (line !== 'done') acknowledged.push(line)
    }
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<{ code: number | null; stderr: string }>((done) => child.on('close', (code) => done({ code, stderr })))
  void ended.then(isReady)
  return { child, acknowledged, ready, ended }
}

test('200 writers in eight processes lose nothing, and no two records have one number', { timeout: 120_000 }, async () => {
  const log = logFolder()
  const writers = Array.from({ length: 8 }, (_, index) => start(log, { count: 100, tag: `p${index}`, env: { PARALLEL: '25', MAX_BYTES: '60000' } }))
  for (const { ended } of writers) expect(await ended).toEqual({ code: 0, stderr: '' })
  const acknowledged = writers.flatMap((writer) => writer.acknowledged)
  expect(acknowledged).toHaveLength(800)
  expect(callsIn(log).sort()).toEqual(acknowledged.sort())
  const [chain] = await verifyAuditLog(log)
  expect(chain).toMatchObject({ state: 'good', notes: [] })
  expect(chain?.files.length).toBeGreaterThan(3)
  // What each process wrote stands in the order in which it wrote.
  for (let index = 0; index < 8; index++) {
    const own = callsIn(log).filter((call) => call.startsWith(`p${index}-`))
    expect(own).toEqual(Array.from({ length: 100 }, (_, call) => `p${index}-${call}`))
  }
  expect(readdirSync(log).filter((name) => !name.endsWith('.jsonl'))).toEqual([])
})

test('many processes that write one record each share a session', { timeout: 120_000 }, async () => {
  const log = logFolder()
  const writers = Array.from({ length: 16 }, (_, index) => start(log, { count: 1, tag: `p${index}` }))
  for (const { ended } of writers) expect(await ended).toEqual({ code: 0, stderr: '' })
  expect(callsIn(log)).toHaveLength(16)
  expect(await verifyAuditLog(log)).toMatchObject([{ state: 'good', records: 17 }])
})

const kills = Number(process.env['HOOKLINE_KILLS'] ?? 30)
const perLog = 30

test(`${kills} times a writer is killed beside another: what was acknowledged is there, and the chain is good`, {
  timeout: 60_000 + kills * 8_000,
}, async () => {
  let acknowledged = 0
  for (let done = 0; done < kills; done += perLog) acknowledged += await killWriters(logFolder(), Math.min(perLog, kills - done))
  expect(acknowledged).toBeGreaterThan(kills)
})

/** Kills two writers at a time at random moments; gives how many records they had acknowledged. */
async function killWriters(log: string, rounds: number): Promise<number> {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const writers = [0, 1].map((one) =>
      start(log, {
        count: 100_000,
        tag: `r${round}-${one}`,
        sync: one === 0 ? 'decision' : 'batch',
        env: { MAX_BYTES: '200000', KEEP: '10000', PARALLEL: one === 0 ? '1' : '5' },
      }),
    )
    await Promise.all(writers.map((writer) => writer.ready))
    await new Promise((done) => setTimeout(done, Math.random() * 40))
    for (const { child } of writers) {
      child.kill('SIGKILL')
      await new Promise((done) => setTimeout(done, Math.random() * 10))
    }
    for (const writer of writers) {
      const { stderr } = await writer.ended
      expect(stderr).toBe('')
      acknowledged.push(...writer.acknowledged)
    }
    // A reader may find the end of a killed writer, and nothing worse.
    expect(['good', 'torn']).toContain((await verifyAuditLog(log))[0]?.state ?? 'good')
  }
  const last = openAuditLog(log, { required: true })
  await last.append(entry('last'))
  await last.close()
  const calls = new Set(callsIn(log))
  expect(acknowledged.filter((call) => !calls.has(call))).toEqual([])
  expect(await verifyAuditLog(log)).toMatchObject([{ state: 'good' }])
  expect(readdirSync(log).filter((name) => name.includes('.lock'))).toEqual([])
  return acknowledged.length
}
