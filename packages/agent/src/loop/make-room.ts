/** How a conversation gets room by itself: compacted when its model's limit is near, or when the model has refused it for its length. */
import type { Held } from '../session/open.ts'
import { compactConversation, isNearlyFull } from './compact.ts'
import type { Conversation, Stations } from './conversation.ts'

/** The stations of one conversation, the main one or a subagent's. */
export function roomStations(held: Held): Required<Pick<Stations, 'makeRoom' | 'shorten'>> {
  let triedAt = -1
  const compact = async (conversation: Conversation, signal: AbortSignal): Promise<boolean> => {
    const refused = await compactConversation(held, { trigger: 'auto', signal, conversation })
    if (refused !== undefined) held.emit({ kind: 'notice', level: 'warning', text: refused })
    return refused === undefined
  }
  return {
    async makeRoom(conversation, { signal }) {
      if (conversation.tokens === triedAt || !isNearlyFull(conversation, held.options.contextWindow ?? 200_000)) return false
      triedAt = conversation.tokens
      return compact(conversation, signal)
    },
    // One message that does not fit is not made to fit by a summary of nothing.
    shorten: async (conversation, { signal }) => conversation.messages.length > 1 && compact(conversation, signal),
  }
}
