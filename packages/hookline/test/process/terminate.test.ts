/** Process trees are ended whole. */
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type Run, startRun } from '../../src/process/run.ts'
import { newToken, programs, started, survivors, type Token } from '../fixtures/programs.ts'

const begin = (name: string, args: readonly string[], token: Token, timeoutMs = 20_000): Run =>
  startRun(name, args, { cwd: tmpdir(), env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value }, timeoutMs })

describe('a run that is ended leaves nothing', () => {
  it.each<[name: string, program: string, args: string[], processes: number]>([
    ['of a process that hangs', 'sleep-forever', [], 1],
    ['of its children', 'spawns-child', [], 3],
    ['of a shell line with a child in the background', 'sh', ['-c', 'sleep 3600 & sleep 3600'], 2],
    ['of a tree that ignores being asked', 'ignores-sigterm', [], 3],
    ['of a child in a session of its own', 'leaves-session', [], 3],
    ['of a child in a session of its own that ignores being asked', 'sh', ['-c', `setsid ${programs}/ignores-sigterm & sleep 3600`], 4],
    ['of a child that was orphaned in a session of its own', 'sh', ['-c', '(setsid sleep 3600 &) ; sleep 3600'], 2],
    ['of a stopped process', 'sh', ['-c', 'sleep 3600 & kill -STOP $!; wait'], 2],
    ['of a grandchild of a child that left', 'sh', ['-c', 'setsid sh -c "sleep 3600 & sleep 3600 & wait" & wait'], 4],
  ])('%s', async (_name, program, args, processes) => {
    const token = newToken()
    const run = begin(program, args, token)
    await started(token, processes)
    run.abort()
    expect((await run.done).ending).toEqual({ kind: 'aborted' })
    expect(survivors(token)).toEqual([])
  })

  it('at its timeout, within two seconds', async () => {
    const token = newToken()
    const began = performance.now()
    const { ending } = await begin('ignores-sigterm', [], token, 300).done
    const took = performance.now() - began
    expect(ending).toEqual({ kind: 'timedOut', afterMs: 300 })
    expect(survivors(token)).toEqual([])
    // The figure promised is 2,300 ms; a busy machine gets tenfold.
    expect(took).toBeLessThan(23_000)
  })

  it('also where hooks run hooks', async () => {
    const token = newToken()
    const outer = begin('sleep-forever', [], token)
    await started(token, 1)
    const variables = await import('node:fs').then((fs) => fs.readFileSync(`/proc/${survivors(token)[0]}/environ`, 'latin1'))
    const mark = /HOOKLINE_RUN=([^\0]+)/.exec(variables)?.[1]
    // What a Hookline inside the hook would start: a session of its own, with the outer mark in front of its own.
    const inner = startRun('ignores-sigterm', [], {
      cwd: tmpdir(),
      env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value, HOOKLINE_RUN: String(mark) },
      timeoutMs: 20_000,
    })
    await started(token, 4)
    outer.abort()
    await outer.done
    expect(survivors(token)).toEqual([])
    expect((await inner.done).ending).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
  })
})

describe('a run that ended by itself', () => {
  it('does not wait for a child that holds its output, and leaves that child alone', async () => {
    const token = newToken()
    const began = performance.now()
    const result = await begin('holds-stdout', [], token).done
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(result).toEqual({ ending: { kind: 'exited', code: 0 }, stdout: 'done', stderr: '' })
    const left = survivors(token)
    for (const pid of left) process.kill(pid, 'SIGKILL')
    expect(left).toHaveLength(1)
  })

  it('still hears a child that answers a moment later', async () => {
    expect((await begin('late-child', [], newToken()).done).stdout).toBe('late')
  })
})
