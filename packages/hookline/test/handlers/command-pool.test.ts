/** The conformance suite, for command hooks in the shell pool; and who gets a pool. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCommandHandler } from '../../src/handlers/command.ts'
import { createHookline, type HooklineOptions } from '../../src/node.ts'
import { newToken, programs, started, survivors } from '../fixtures/programs.ts'
import { describeConformance } from './conformance.ts'
import { commandHook } from './make-run.ts'

describeConformance('pooled command', () => {
  const token = newToken()
  const exited = (code: number) => ({ kind: 'exited', code }) as const
  return {
    runner: createCommandHandler({ pool: 'eager', env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value } }),
    silent: { hook: commandHook('silent'), result: { ending: exited(0), stdout: '', stderr: '' } },
    answers: { hook: commandHook('answers'), result: { ending: exited(0), stdout: '{"systemMessage":"seen"}\n', stderr: '' } },
    blocks: { hook: commandHook('exit-2'), result: { ending: exited(2), stdout: '', stderr: 'not on a Friday\n' } },
    garbage: { hook: commandHook('bad-json'), result: { ending: exited(0), stdout: '{"decision": block', stderr: '' } },
    crashes: { hook: commandHook('exec kills-itself'), result: { ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: 'last words', stderr: '' } },
    huge: {
      hook: commandHook('floods-stdout'),
      result: {
        ending: { kind: 'overflowed', stream: 'stdout', limit: 1_048_576 },
        stdout: 'a line that is written again and again\n'.repeat(30_000).slice(0, 1_048_576),
        stderr: '',
        cut: 'stdout',
      },
    },
    notUtf8: { hook: commandHook('not-utf8'), result: { ending: exited(0), stdout: '{"systemMessage":"X\uFFFDY"}', stderr: '', notUtf8: true } },
    hangs: commandHook('exec spawns-child'),
    atWork: (count) => started(token, count * 3),
    leftovers: () => survivors(token).length,
  }
})

describe('a Hookline', () => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-pool-mode-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo "parent $PPID"' }] }] }

  /** True when one of the first hooks was run by a worker. */
  async function usesPool({ env, ...options }: HooklineOptions, events = 100): Promise<boolean> {
    const hookline = await createHookline({ cwd: root, sources: [], settings: [{ hooks }], env: { PATH: '/usr/bin:/bin', HOME: root, ...env }, ...options })
    let inPool = false
    for (let fired = 0; fired < events && !inPool; fired++) {
      const { context } = await hookline.fire('UserPromptSubmit', { prompt: 'x' })
      inPool = context[0]?.text.trim() !== `parent ${process.pid}`
    }
    await hookline.close()
    return inPool
  }

  it.each<[name: string, options: HooklineOptions, expected: boolean]>([
    ['has a pool by itself', {}, true],
    ['has one behind its first hook when it may wait', { pool: 'lazy' }, true],
    ['has none when it wants none', { pool: 'off' }, false],
    ['has none when the one who starts the program wants none', { env: { HOOKLINE_POOL: '0' } }, false],
  ])('%s', async (_name, options, expected) => {
    expect(await usesPool(options, expected ? 100 : 5)).toBe(expected)
  })

  it('leaves its first hook to a process of its own when its pool may wait', async () => {
    expect(await usesPool({ pool: 'lazy' }, 1)).toBe(false)
  })

  it('is not made with a pool of an unknown kind', async () => {
    await expect(createHookline({ cwd: root, pool: 'always' as never })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('"pool"'),
    })
  })
})
