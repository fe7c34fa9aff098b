/** Many runs at once: the limit, the turns, closing, and what stays in the host. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startRun } from '../../src/process/run.ts'
import { createStarter, type RunOptions } from '../../src/process/starter.ts'
import { newToken, openDescriptors, programs, started, survivors } from '../fixtures/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-starter-'))
afterAll(() => rmSync(root, { recursive: true }))
const options = (more: Partial<RunOptions> & { token?: ReturnType<typeof newToken> } = {}): RunOptions => {
  const { token, ...rest } = more
  return { cwd: root, env: { PATH: `${programs}:/usr/bin:/bin`, ...(token && { [token.name]: token.value }) }, timeoutMs: 20_000, ...rest }
}

describe('how many run at once', () => {
  it('is never more than the limit, and all get their turn in order', async () => {
    const starter = createStarter({ limit: 3 })
    let most = 0
    const order: number[] = []
    const watch = setInterval(() => {
      most = Math.max(most, starter.running)
    }, 1)
    const runs = Array.from({ length: 12 }, (_, index) =>
      starter.start('sh', ['-c', 'sleep 0.05'], options()).done.then((result) => {
        order.push(index)
        return result.ending
      }),
    )
    expect(starter.running).toBe(3)
    expect(await Promise.all(runs)).toEqual(Array(12).fill({ kind: 'exited', code: 0 }))
    clearInterval(watch)
    expect(most).toBe(3)
    expect(order.slice(0, 3).every((index) => index < 6)).toBe(true)
    expect(starter.running).toBe(0)
  })

  it('is 64 unless told otherwise', async () => {
    const starter = createStarter()
    const runs = Array.from(
      { length: 200 },
      () => starter.start('/bin/sh', ['-c', 'cat >/dev/null; printf x'], options({ input: [new Uint8Array(1000)] })).done,
    )
    expect(starter.running).toBe(64)
    const results = await Promise.all(runs)
    expect(results.filter((result) => result.ending.kind === 'exited' && result.stdout === 'x')).toHaveLength(200)
  })

  it('does not let waiting count as running', async () => {
    const starter = createStarter({ limit: 1 })
    const first = starter.start('sh', ['-c', 'sleep 2'], options())
    const second = starter.start('sh', ['-c', 'sleep 0.1; printf x'], options({ timeoutMs: 1_500 }))
    await first.done
    expect((await second.done).ending).toEqual({ kind: 'exited', code: 0 })
  })

  it('starts those that waited one by one, so that what has to be ended meanwhile is ended', async () => {
    let turn = 0
    const count = () => {
      turn++
      counter = setImmediate(count)
    }
    let counter = setImmediate(count)
    const turns: number[] = []
    const starter = createStarter({
      limit: 6,
      backend: {
        start: (...run) => {
          turns.push(turn)
          return startRun(...run)
        },
      },
    })
    const first = Array.from({ length: 6 }, () => starter.start('sleep', ['20'], options()))
    const second = Array.from({ length: 6 }, () => starter.start('silent', [], options()))
    await new Promise((done) => setTimeout(done, 100))
    for (const run of first) run.abort()
    const endings = await Promise.all([...first, ...second].map(({ done }) => done))
    clearImmediate(counter)
    expect(endings.map(({ ending }) => ending.kind)).toEqual([...Array(6).fill('aborted'), ...Array(6).fill('exited')])
    expect(new Set(turns.slice(0, 6)).size).toBe(1)
    expect(new Set(turns.slice(6)).size).toBe(6)
  })

  it('goes on after a run that could not start', async () => {
    const starter = createStarter({ limit: 1 })
    const runs = ['no-such-program', 'silent', '/no/such', 'silent'].map((name) => starter.start(name, [], options()).done)
    expect((await Promise.all(runs)).map((result) => result.ending.kind)).toEqual(['unspawnable', 'exited', 'unspawnable', 'exited'])
  })
})

describe('a run that waits', () => {
  it('never starts once it is aborted, and makes room for nobody', async () => {
    const starter = createStarter({ limit: 1 })
    const first = starter.start('sh', ['-c', 'sleep 0.3'], options())
    const second = starter.start('sh', ['-c', 'touch second'], options())
    const third = starter.start('sh', ['-c', 'touch third'], options())
    second.abort()
    second.abort()
    expect((await second.done).ending).toEqual({ kind: 'aborted' })
    expect(starter.running).toBe(1)
    await Promise.all([first.done, third.done])
    expect([existsSync(join(root, 'second')), existsSync(join(root, 'third'))]).toEqual([false, true])
  })

  it('can still be aborted after its turn came', async () => {
    const starter = createStarter({ limit: 1 })
    const token = newToken()
    const first = starter.start('silent', [], options())
    const second = starter.start('sleep-forever', [], options({ token }))
    await first.done
    await started(token, 1)
    second.abort()
    expect((await second.done).ending).toEqual({ kind: 'aborted' })
    expect(survivors(token)).toEqual([])
  })
})

describe('closing', () => {
  it('ends what runs and what waits, and leaves nothing', async () => {
    const starter = createStarter({ limit: 4 })
    const token = newToken()
    const runs = ['spawns-child', 'ignores-sigterm', 'leaves-session', 'sleep-forever', 'sleep-forever', 'sleep-forever'].map(
      (name) => starter.start(name, [], options({ token })).done,
    )
    await started(token, 10)
    await starter.close()
    expect(survivors(token)).toEqual([])
    expect(starter.running).toBe(0)
    expect(await Promise.all(runs)).toHaveLength(6)
    for (const run of runs) expect((await run).ending).toEqual({ kind: 'aborted' })
  })

  it('may be done twice, and starts nothing afterwards', async () => {
    const starter = createStarter()
    await starter.close()
    await starter.close()
    expect((await starter.start('sh', ['-c', 'touch closed'], options()).done).ending).toEqual({ kind: 'aborted' })
    expect(existsSync(join(root, 'closed'))).toBe(false)
  })
})

describe('what is left in the host', () => {
  it('is no descriptor, whatever became of the runs', async () => {
    const starter = createStarter()
    const token = newToken()
    const all = () =>
      Promise.all([
        // Its child lives on and keeps the other ends of the pipes.
        starter.start('holds-stdout', [], options({ token })).done,
        ...['silent', 'exit-2', 'kills-itself', 'closes-stdin', 'no-interpreter', 'no-such-program', 'floods-stdout'].map(
          (name) => starter.start(name, [], options()).done,
        ),
        starter.start('sleep-forever', [], options({ timeoutMs: 50 })).done,
        starter.start('echo', ['a\0b'], options()).done,
        starter.start('echo', ['x'.repeat(200_000)], options()).done,
      ])
    await all()
    const before = openDescriptors()
    for (let round = 0; round < 3; round++) await all()
    // Descriptors that were closed are gone a turn of the event loop later.
    await new Promise((resolve) => setTimeout(resolve, 100))
    const after = openDescriptors()
    for (const pid of survivors(token)) process.kill(pid, 'SIGKILL')
    expect(after).toBeLessThanOrEqual(before)
  })

  it('is no listener', async () => {
    const before = process.listenerCount('exit')
    const starter = createStarter()
    const runs = Array.from({ length: 20 }, () => starter.start('sh', ['-c', 'sleep 0.2'], options()).done)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(process.listenerCount('exit')).toBe(before + 1)
    await Promise.all(runs)
    expect(process.listenerCount('exit')).toBe(before)
  })
})
