/** Asks a host's model once and looks at what came back: anything but a reply that is whole is a failure of the hook, never a pass. */
import type { Ending } from '../protocol/ending.ts'
import type { Model, ModelReply, ModelRequest } from '../protocol/ports.ts'
import { errorText } from './error-text.ts'

/** The longest reply that is read, in UTF-16 units. */
export const replyLimit = 1_048_576

/** A reply that can be used, or how asking failed. */
export type Asked = { readonly kind: 'reply'; readonly reply: ModelReply } | { readonly kind: 'failed'; readonly ending: Ending; readonly text?: string }

/** Never throws. */
export async function askModel(model: Model, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  let reply: ModelReply
  try {
    reply = await model(request, { signal })
  } catch (error) {
    return failed(`its model call failed: ${errorText(error)}`)
  }
  if (typeof reply !== 'object' || reply === null || typeof reply.text !== 'string') return failed('its model gave no reply with a text')
  const { text, finish } = reply
  if (text.length > replyLimit) return { kind: 'failed', ending: { kind: 'overflowed', stream: 'body', limit: replyLimit } }
  switch (finish) {
    case 'stop':
    case 'tool-calls':
      return { kind: 'reply', reply }
    case 'length':
      return failed('its model stopped at the length limit, before it was done', text)
    case 'refused':
      return failed('its model refused to answer', text)
    default:
      return failed('its model did not say how the reply ended', text)
  }
}

function failed(error: string, text?: string): Asked {
  return { kind: 'failed', ending: { kind: 'threw', error }, ...(text === undefined || text === '' ? {} : { text }) }
}
