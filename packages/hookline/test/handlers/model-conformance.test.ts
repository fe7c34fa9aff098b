/** The conformance suite, for the hooks that ask a model or an MCP tool. */
import { emptySnapshot } from '../../src/config/empty.ts'
import { createAgentHandler } from '../../src/handlers/agent.ts'
import { createFunctionHandler } from '../../src/handlers/function.ts'
import { createMcpToolHandler } from '../../src/handlers/mcp-tool.ts'
import { createPromptHandler } from '../../src/handlers/prompt.ts'
import type { Model, ModelReply, ModelToolCall } from '../../src/protocol/ports.ts'
import type { RunnableHook } from '../../src/protocol/runner.ts'
import { verifierSessions } from '../../src/station/verifier-session.ts'
import { describeConformance } from './conformance.ts'
import { makeHook } from './make-run.ts'

const returned = { kind: 'returned' } as const
const tooMuch = { ending: { kind: 'overflowed', stream: 'body', limit: 1_048_576 } } as const

/** Hanging work that is at work until its signal fires. */
class Hanging {
  count = 0
  wait(signal: AbortSignal): Promise<never> {
    this.count++
    signal.addEventListener('abort', () => this.count--, { once: true })
    return new Promise(() => {})
  }
  atWork = async (count: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (this.count !== count) throw new Error(`${count} hooks should be at work, there are ${this.count}`)
  }
}

type Behaviour = (signal: AbortSignal) => ModelReply | Promise<ModelReply>

/** A model that does what the first word of the question says. */
function obedient(behaviours: Readonly<Record<string, Behaviour>>): Model {
  return async ({ messages }, { signal }) => {
    const [word = ''] = messages[0]?.role === 'user' ? messages[0].text.split(/\s/) : []
    return await (behaviours[word] as Behaviour)(signal)
  }
}

const promptHook = (prompt: string): RunnableHook => makeHook({ spec: { type: 'prompt', prompt } })
const agentHook = (prompt: string): RunnableHook => makeHook({ spec: { type: 'agent', prompt } })

describeConformance('prompt', () => {
  const hanging = new Hanging()
  const says = (text: string) => (): ModelReply => ({ text, finish: 'stop' })
  const model = obedient({
    silent: says(''),
    answers: says('{"ok":true}'),
    blocks: says('{"ok":false,"reason":"not on a Friday"}'),
    garbage: says('{"decision": block'),
    crashes: () => Promise.reject(new Error('last words')),
    huge: says('x'.repeat(1_048_577)),
    hangs: (signal) => hanging.wait(signal),
  })
  return {
    runner: createPromptHandler({ model }),
    silent: { hook: promptHook('silent'), result: { ending: returned, stdout: '' } },
    answers: { hook: promptHook('answers'), result: { ending: returned, stdout: '{"ok":true}' } },
    blocks: { hook: promptHook('blocks'), result: { ending: returned, stdout: '{"ok":false,"reason":"not on a Friday"}' } },
    garbage: { hook: promptHook('garbage'), result: { ending: returned, stdout: '{"decision": block' } },
    crashes: { hook: promptHook('crashes'), result: { ending: { kind: 'threw', error: 'its model call failed: last words' } } },
    huge: { hook: promptHook('huge'), result: tooMuch },
    hangs: promptHook('hangs'),
    atWork: hanging.atWork,
    leftovers: () => hanging.count,
  }
})

describeConformance('agent', () => {
  const hanging = new Hanging()
  const handsIn = (input: unknown) => (): ModelReply => ({
    text: '',
    finish: 'tool-calls',
    toolCalls: [{ id: '1', name: 'StructuredOutput', input } as ModelToolCall],
  })
  const model = obedient({
    silent: () => ({ text: 'I looked.', finish: 'stop' }),
    answers: handsIn({ ok: true }),
    blocks: handsIn({ ok: false, reason: 'not on a Friday' }),
    garbage: handsIn({ ok: 'yes' }),
    crashes: () => Promise.reject(new Error('last words')),
    huge: () => ({ text: 'x'.repeat(1_048_577), finish: 'stop' }),
    hangs: (signal) => hanging.wait(signal),
  })
  const openVerifier = verifierSessions(() => ({ snapshot: emptySnapshot, runners: [createFunctionHandler()] }))
  return {
    runner: createAgentHandler({ model, openVerifier }),
    silent: { hook: agentHook('silent'), result: { ending: { kind: 'threw', error: 'its verifier ended without a verdict' } } },
    answers: { hook: agentHook('answers'), result: { ending: { kind: 'judged', ok: true } } },
    blocks: { hook: agentHook('blocks'), result: { ending: { kind: 'judged', ok: false, reason: 'not on a Friday' } } },
    garbage: { hook: agentHook('garbage'), result: { ending: { kind: 'threw', error: 'its verifier handed in no verdict within 50 turns' } } },
    crashes: { hook: agentHook('crashes'), result: { ending: { kind: 'threw', error: 'its model call failed: last words' } } },
    huge: { hook: agentHook('huge'), result: tooMuch },
    hangs: agentHook('hangs'),
    atWork: hanging.atWork,
    leftovers: () => hanging.count,
  }
})

describeConformance('mcp_tool', () => {
  const hanging = new Hanging()
  const texts: Readonly<Record<string, string>> = {
    silent: '',
    answers: '{"systemMessage":"seen"}',
    blocks: '{"decision":"block","reason":"no"}',
    garbage: '{"decision": block',
    huge: 'x'.repeat(1_048_577),
  }
  const mcp = {
    servers: () => ['memory'],
    async callTool({ tool }: { tool: string }, { signal }: { signal: AbortSignal }) {
      if (tool === 'hangs') return await hanging.wait(signal)
      if (tool === 'crashes') throw new Error('last words')
      return { content: [{ type: 'text', text: texts[tool] ?? '' }] }
    },
  }
  const hook = (tool: string) => makeHook({ spec: { type: 'mcp_tool', server: 'memory', tool } })
  const said = (tool: string) => ({ hook: hook(tool), result: { ending: returned, stdout: texts[tool] ?? '' } })
  return {
    runner: createMcpToolHandler({ mcp }),
    silent: said('silent'),
    answers: said('answers'),
    blocks: said('blocks'),
    garbage: said('garbage'),
    crashes: { hook: hook('crashes'), result: { ending: { kind: 'threw', error: 'the call of its tool failed: last words' } } },
    huge: { hook: hook('huge'), result: tooMuch },
    hangs: hook('hangs'),
    atWork: hanging.atWork,
    leftovers: () => hanging.count,
  }
})
