/** Prompt hooks: one call of a model judges the event, and its whole reply is the verdict (protocol §2.5, design decision 5). */
import type { Model } from '../protocol/ports.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import { askModel } from './ask-model.ts'
import { Attendant } from './attendant.ts'
import { judgeWords, replyWords } from './judge-words.ts'
import { putQuestion, type Question } from './judged-data.ts'
import { holdsVerdicts, ownVerdict } from './verdict-reply.ts'

const mostTokens = 4_096

/** Makes the runner for `prompt` hooks. Runtime-neutral. It never throws and never rejects, and fires nothing. */
export function createPromptHandler({ model }: { model: Model }): HandlerRunner {
  const attendant = new Attendant()
  return {
    type: 'prompt',
    readsPayload: true,
    run(hook, context) {
      if (hook.spec?.type !== 'prompt') return { ending: { kind: 'refused', why: 'a prompt hook without a prompt cannot run' } }
      const question = putQuestion(hook.spec.prompt, context)
      if ('refused' in question) return { ending: { kind: 'refused', why: question.refused } }
      return attendant.attend(context, (signal) => judge({ hook, context, model, question }, signal))
    },
    close: () => attendant.close(),
  }
}

interface Judging {
  readonly hook: RunnableHook
  readonly context: RunContext
  readonly model: Model
  readonly question: Question
}

async function judge({ hook, context, model, question }: Judging, signal: AbortSignal): Promise<RawResult> {
  const { seal, text } = question
  const asked = await askModel(
    model,
    {
      purpose: 'prompt-hook',
      ...modelOf(hook),
      system: `${judgeWords(context.row, seal)}\n\n${replyWords(context.row, { seal, sealed: holdsVerdicts(question) })}`,
      messages: [{ role: 'user', text }],
      maxOutputTokens: mostTokens,
    },
    signal,
  )
  if (asked.kind === 'failed') return { ending: asked.ending, ...(asked.text === undefined ? {} : { stdout: asked.text }) }
  const { reply } = asked
  if (reply.toolCalls !== undefined && reply.toolCalls.length > 0) return failed('its model called a tool instead of answering', reply.text)
  const own = ownVerdict(reply.text, question)
  // Whether it is a verdict is for the engine to read.
  return 'echo' in own ? failed(own.echo, reply.text) : { ending: { kind: 'returned' }, stdout: own.text }
}

/** The model that the hook names. */
export function modelOf({ spec }: RunnableHook): { model?: string } {
  return (spec?.type === 'prompt' || spec?.type === 'agent') && spec.model !== undefined ? { model: spec.model } : {}
}

function failed(error: string, stdout: string): RawResult {
  return { ending: { kind: 'threw', error }, stdout }
}
