/** One question to the provider's small model, for tools that read more than the conversation should hold. */
import type { AgentModel } from './port.ts'

/** Gives the whole answer. @throws ModelError, and the signal's reason. */
export async function askSmall(model: AgentModel, question: { system: string; text: string }, { signal }: { signal: AbortSignal }): Promise<string> {
  let answer = ''
  const request = {
    purpose: 'hook' as const,
    ...(model.small === undefined ? {} : { model: model.small }),
    system: question.system,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: question.text }] }],
    tools: [],
    maxOutputTokens: 4000,
  }
  for await (const event of model.stream(request, { signal })) {
    if (event.kind === 'text') answer += event.text
    else if (event.kind === 'retry' && event.restart === true) answer = ''
  }
  return answer
}
