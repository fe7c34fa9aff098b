/** A model that answers from a script, for tests of prompt and agent hooks. */
import type { Model, ModelReply, ModelRequest } from '../index.ts'

/** One reply: its text, the whole reply in parts, an error to fail with, or a function of the request. */
export type ScriptedReply = string | Partial<ModelReply> | Error | ((request: ModelRequest) => string | Partial<ModelReply>)

/**
 * Gives the replies in order, one per request; a request too many fails, as a hook's model call fails. `requests` holds what was asked.
 * @example scriptedModel(['{"ok": false, "reason": "tests are missing"}'])
 */
export function scriptedModel(replies: readonly ScriptedReply[]): Model & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = []
  const model: Model = async (request, { signal }) => {
    signal.throwIfAborted()
    const at = requests.push(request)
    const scripted = replies[at - 1]
    if (scripted === undefined) throw new Error(`scriptedModel: the script has ${replies.length} replies, and this is request ${at}`)
    if (scripted instanceof Error) throw scripted
    const reply = typeof scripted === 'function' ? scripted(request) : scripted
    if (typeof reply === 'string') return { text: reply, finish: 'stop' }
    return { text: '', finish: reply.toolCalls === undefined ? 'stop' : 'tool-calls', ...reply }
  }
  return Object.assign(model, { requests })
}
