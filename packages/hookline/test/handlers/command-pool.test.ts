/** The conformance suite, for command hooks in the shell pool; and that both ways of running give the same, down to the bytes. */
import { createCommandHandler } from '../../src/handlers/command.ts'
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
