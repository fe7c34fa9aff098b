/** The conformance suite, for command hooks that stay. */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { createCommandHandler } from '../../src/handlers/command.ts'
import type { HandlerRunner } from '../../src/protocol/runner.ts'
import { newToken, programs, survivors } from '../fixtures/programs.ts'
import { describeConformance } from './conformance.ts'
import { warmHook } from './warm-hook.ts'

const runners: HandlerRunner[] = []
afterAll(async () => {
  for (const runner of runners) await runner.close?.()
})

describeConformance('persistent command', () => {
  const token = newToken()
  const returned = { kind: 'returned' } as const
  const runner = createCommandHandler({ env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value } })
  runners.push(runner)
  // A process that waits for the next event is no leftover; what the hanging hook waits with would be.
  const hanging = () => survivors(token).filter((pid) => commandOf(pid).startsWith('sleep')).length
  return {
    runner,
    silent: { hook: warmHook('exec warm-silent'), result: { ending: returned, stdout: '{}\n', stderr: '' } },
    answers: { hook: warmHook('exec warm-answers'), result: { ending: returned, stdout: '{"systemMessage":"seen"}\n', stderr: '' } },
    blocks: { hook: warmHook('exec warm-blocks'), result: { ending: { kind: 'exited', code: 2 }, stdout: '', stderr: 'not on a Friday\n' } },
    garbage: { hook: warmHook('exec warm-garbage'), result: { ending: returned, stdout: '{"decision": block\n', stderr: '' } },
    crashes: { hook: warmHook('exec warm-crashes'), result: { ending: { kind: 'signalled', signal: 'SIGKILL' }, stdout: 'last words', stderr: '' } },
    huge: {
      hook: warmHook('exec warm-floods'),
      result: { ending: { kind: 'overflowed', stream: 'stdout', limit: 1_048_576 }, stdout: 'x'.repeat(1_048_576), stderr: '', cut: 'stdout' },
    },
    notUtf8: { hook: warmHook('exec warm-not-utf8'), result: { ending: returned, stdout: '{"systemMessage":"X\uFFFDY"}\n', stderr: '', notUtf8: true } },
    hangs: warmHook('exec warm-hangs'),
    // One event is at work, the others stand in line before the same process.
    atWork: async () => {
      for (let tries = 0; hanging() < 2; tries++) {
        if (tries > 1000) throw new Error('the hook should be at work')
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    leftovers: hanging,
  }
})

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
