/** The conformance suite, for command hooks and hooks in code. */
import { createCallbackHandler } from '../../src/handlers/callback.ts'
import { createCommandHandler } from '../../src/handlers/command.ts'
import { createFunctionHandler } from '../../src/handlers/function.ts'
import type { HandlerRunner, RunnableHook } from '../../src/protocol/runner.ts'
import { newToken, programs, started, survivors } from '../fixtures/programs.ts'
import { describeConformance } from './conformance.ts'
import { commandHook, makeHook } from './make-run.ts'

describeConformance('command', () => {
  const token = newToken()
  const exited = (code: number) => ({ kind: 'exited', code }) as const
  return {
    runner: createCommandHandler({ env: { PATH: `${programs}:/usr/bin:/bin`, [token.name]: token.value } }),
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

const inCode = (create: () => HandlerRunner) => () => {
  let atWork = 0
  const hook = (callback: () => unknown): RunnableHook => makeHook({ callback })
  const returned = { kind: 'returned' } as const
  const huge = { context: 'x'.repeat(5_000_000) }
  return {
    runner: create(),
    silent: { hook: hook(() => undefined), result: { ending: returned } },
    answers: { hook: hook(async () => ({ message: 'seen' })), result: { ending: returned, value: { message: 'seen' } } },
    blocks: { hook: hook(() => ({ block: 'not on a Friday' })), result: { ending: returned, value: { block: 'not on a Friday' } } },
    garbage: { hook: hook(() => '{"decision": block'), result: { ending: returned, value: '{"decision": block' } },
    crashes: { hook: hook(() => Promise.reject(new Error('last words'))), result: { ending: { kind: 'threw', error: 'last words' } as const } },
    // A value in process is handed on as it is: what a reader may see of it is for the reader to say.
    huge: { hook: hook(() => huge), result: { ending: returned, value: huge } },
    hangs: makeHook({
      callback: (_input: never, context: { signal: AbortSignal }) => {
        atWork++
        context.signal.addEventListener('abort', () => atWork--)
        if (context.signal.aborted) atWork--
        return new Promise(() => {})
      },
    }),
    atWork: async (count: number) => {
      if (atWork !== count) throw new Error(`${count} hooks should be at work, there are ${atWork}`)
    },
    leftovers: () => atWork,
  }
}

describeConformance('callback', inCode(createCallbackHandler))
describeConformance('function', inCode(createFunctionHandler))
