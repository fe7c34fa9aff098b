/** The lock: one holder at a time, a dead holder's is taken away exactly once, a live one's never. */
import { type ChildProcess, spawn } from 'node:child_process'
import { lutimesSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeLogFiles } from '../../src/platform/log-files.ts'
import { LogLock } from '../../src/platform/log-lock.ts'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { callsIn, entry, filesIn, logFolder } from './log-folder.ts'

let dead = 0
let alive: ChildProcess
beforeAll(async () => {
  const gone = spawn(process.execPath, ['-e', ''])
  dead = gone.pid as number
  await new Promise((done) => gone.on('exit', done))
  alive = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
})
afterAll(() => void alive.kill('SIGKILL'))

function lockPath(): string {
  const folder = logFolder()
  mkdirSync(folder)
  return join(folder, 'x.lock')
}
const lock = (path: string) => new LogLock(nodeLogFiles, path)

/** What this process writes into a lock: number, start, place, token. */
function mine(path: string): string[] {
  const own = lock(path)
  own.take()
  const text = readlinkSync(path).split('.')
  own.release()
  return text
}

test('is held by one, and free after that', () => {
  const path = lockPath()
  const [first, second] = [lock(path), lock(path)]
  expect([first.take(), second.take()]).toEqual([true, false])
  expect(second.holder).toContain(`process ${process.pid}`)
  first.release()
  expect(second.take()).toBe(true)
  second.release()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

test("is its holder's still, when giving it back failed", () => {
  const own = lock(lockPath())
  expect([own.take(), own.take()]).toEqual([true, true])
})

describe('a holder', () => {
  const cases: [what: string, text: (parts: string[]) => string, age: number, taken: boolean][] = [
    ['that is dead', ([, , place]) => `${dead}.123.${place}.aa`, 0, true],
    ['whose number another process has now', ([, , place]) => `${alive.pid}.1.${place}.aa`, 0, process.platform === 'linux'],
    ['that is alive', ([, , place]) => `${alive.pid}.0.${place}.aa`, 120, false],
    ['of another machine, a moment ago', () => `${dead}.123.elsewhere.aa`, 0, false],
    ['of another machine, long ago', () => `${dead}.123.elsewhere.aa`, 60, true],
    ['that is no text of ours, a moment ago', () => 'hello', 0, false],
    ['that is no text of ours, long ago', () => 'hello', 60, true],
  ]
  test.each(cases)('%s', (_what, text, age, taken) => {
    const path = lockPath()
    symlinkSync(text(mine(path)), path)
    const then = Date.now() / 1_000 - age
    lutimesSync(path, then, then)
    expect(lock(path).take()).toBe(taken)
    expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
  })

  test('that could make no links left a file: empty for a moment it is waited for, later it is not', () => {
    const path = lockPath()
    writeFileSync(path, '')
    expect(lock(path).take()).toBe(false)
    const then = Date.now() / 1_000 - 60
    lutimesSync(path, then, then)
    expect(lock(path).take()).toBe(true)
  })
})

test('a holder that is dead but was never waited for holds nothing', async () => {
  const parent = spawn('sh', ['-c', '(exit 0) & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const zombie = await new Promise<string>((done) => parent.stdout.once('data', (bytes: Buffer) => done(bytes.toString().trim())))
    const path = lockPath()
    const [, , place] = mine(path)
    symlinkSync(`${zombie}.0.${place}.aa`, path)
    const own = lock(path)
    let taken = own.take()
    for (let patience = 0; !taken && patience < 100; patience++) {
      await new Promise((done) => setTimeout(done, 20))
      taken = own.take()
    }
    expect(taken).toBe(process.platform === 'linux')
  } finally {
    parent.kill('SIGKILL')
  }
})

test("who died while taking a dead holder's lock away stops nobody", () => {
  const path = lockPath()
  const [, , place] = mine(path)
  const text = `${dead}.123.${place}.aa`
  symlinkSync(text, path)
  // The right to remove this holder's lock, in dead hands too: the first try clears that, the second the lock.
  const seen: string[] = []
  const files = {
    ...nodeLogFiles,
    mark: (name: string, what: string) => {
      seen.push(name)
      return nodeLogFiles.mark(name, what)
    },
  }
  new LogLock({ ...files, remove: () => undefined }, path).take()
  const right = seen.find((name) => name !== path) as string
  nodeLogFiles.remove(right)
  symlinkSync(`${dead}.77.${place}.bb`, right)
  const own = lock(path)
  expect([own.take(), own.take()]).toEqual([false, true])
  expect(readdirSync(join(path, '..'))).toEqual(['x.lock'])
})

test('a lock that was taken anew since it was looked at is not removed', () => {
  const path = lockPath()
  const [, , place] = mine(path)
  symlinkSync(`${dead}.123.${place}.aa`, path)
  const fresh = lock(path)
  // Another process takes the dead lock away and gets it, just when ours is about to.
  let once = true
  const files = {
    ...nodeLogFiles,
    mark: (name: string, text: string) => {
      if (name !== path && once) {
        once = false
        expect(fresh.take()).toBe(true)
      }
      return nodeLogFiles.mark(name, text)
    },
  }
  expect(new LogLock(files, path).take()).toBe(false)
  expect(new LogLock(nodeLogFiles, path).take()).toBe(false)
  fresh.release()
  expect(lock(path).take()).toBe(true)
})

describe('a log whose lock is held', () => {
  test('by a dead process goes on at once', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder)
    await log.append(entry('c-1'))
    const path = join(folder, filesIn(folder)[0]?.replace('.jsonl', '.lock') as string)
    const [, , place] = mine(path)
    symlinkSync(`${dead}.123.${place}.aa`, path)
    expect(log.append(entry('c-2'))).toBeUndefined()
    await log.close()
    expect(callsIn(folder)).toEqual(['c-1', 'c-2'])
  })

  test('for a while waits, and writes in order what came meanwhile', async () => {
    const folder = logFolder()
    const log = openAuditLog(folder)
    await log.append(entry('c-0'))
    const path = join(folder, filesIn(folder)[0]?.replace('.jsonl', '.lock') as string)
    const other = lock(path)
    other.take()
    const written = [1, 2, 3, 4].map((index) => log.append(entry(`c-${index}`)))
    expect(written.every((one) => one instanceof Promise)).toBe(true)
    await new Promise((done) => setTimeout(done, 60))
    expect(callsIn(folder)).toEqual(['c-0'])
    other.release()
    for (const one of written) await one
    await log.close()
    expect(callsIn(folder)).toEqual(['c-0', 'c-1', 'c-2', 'c-3', 'c-4'])
  })

  test('by a live process for too long counts what is missing, waits no more, and says so when it can', async () => {
    const folder = logFolder()
    const told: string[] = []
    const log = openAuditLog(folder, { waitMs: 50, onWarning: (notice) => told.push(notice.message) })
    await log.append(entry('c-0'))
    const file = filesIn(folder)[0] as string
    const path = join(folder, file.replace('.jsonl', '.lock'))
    const other = lock(path)
    other.take()
    await log.append(entry('c-1'))
    expect(log.append(entry('c-2'))).toBeUndefined()
    expect(told).toEqual([expect.stringContaining(`held by process ${process.pid}`)])
    expect(log.standing?.code).toBe('audit-gap')
    other.release()
    await log.append(entry('c-3'))
    expect(log.standing).toBeUndefined()
    await log.close()
    expect(readFileSync(join(folder, file), 'utf8')).toMatch(/"kind":"gap","session":"s-1","records":2,"since":\d+,"why":"EBUSY"/)
    expect(callsIn(folder)).toEqual(['c-0', 'c-3'])
  })
})
