/** Shows the text of an answer: whole, or while it comes, and then each batch of finished lines passes MessageDisplay before a person sees it. */
import { randomUUID } from 'node:crypto'
import type { Conversation } from './conversation.ts'

/** What shows one answer. */
export interface Shower {
  /** A piece of text; `block` tells one text of the answer from the next. */
  text(piece: string, block: string | undefined): void
  /** What was shown is void: the answer begins again. */
  restart(): void
  /** Waits until all is shown; gives the texts as they were, when a hook changed one. */
  end(): Promise<string | undefined>
}

/** One text of an answer on its way to the person. */
interface Shown {
  readonly id: string
  readonly block: string | undefined
  index: number
  pending: string
  closed: boolean
  text: string
}

export interface ShowContext {
  readonly signal: AbortSignal
  readonly turnId: string
}

/** For a face that shows text as it comes. Lines that finish while hooks are at work are their next batch. */
export function createShower({ scope, emit }: Conversation, { signal, turnId }: ShowContext): Shower {
  const waiting: Shown[] = []
  let shown: Shown[] = []
  let changed = false
  let working: Promise<void> | undefined

  const work = async (): Promise<void> => {
    for (let one = waiting[0]; one !== undefined; one = waiting[0]) {
      const final = one.closed
      const end = final ? one.pending.length : one.pending.lastIndexOf('\n') + 1
      if (end === 0 && !final) return
      const delta = one.pending.slice(0, end)
      one.pending = one.pending.slice(end)
      const place = { turn_id: turnId, message_id: one.id, index: one.index++, final }
      const { displayContent } = await scope.fire('MessageDisplay', { ...place, delta }, { signal })
      changed ||= displayContent !== undefined
      const text = displayContent ?? delta
      one.text += text
      if (text !== '') emit({ kind: 'text', text })
      if (final) waiting.shift()
    }
  }
  const go = (): void => {
    working ??= work().finally(() => {
      working = undefined
    })
    // Whoever waits for the end hears of it.
    working.catch(() => undefined)
  }
  const close = (): void => {
    const last = waiting.at(-1)
    if (last === undefined || last.closed) return
    last.closed = true
    go()
  }
  return {
    text(piece, block) {
      let last = waiting.at(-1)
      if (last === undefined || last.closed || last.block !== block) {
        close()
        last = { id: randomUUID(), block, index: 0, pending: '', closed: false, text: '' }
        waiting.push(last)
        shown.push(last)
      }
      last.pending += piece
      if (piece.includes('\n')) go()
    },
    restart() {
      close()
      shown = []
    },
    async end() {
      close()
      while (waiting.length > 0) {
        go()
        await working
      }
      return changed ? shown.map(({ text }) => text).join('\n') : undefined
    },
  }
}

/** The same once the answer is whole: each text is one batch. */
export async function showTexts({ scope }: Conversation, texts: readonly string[], { signal, turnId }: ShowContext): Promise<string | undefined> {
  let changed = false
  const shown: string[] = []
  for (const delta of texts) {
    const { displayContent } = await scope.fire('MessageDisplay', { turn_id: turnId, message_id: randomUUID(), index: 0, final: true, delta }, { signal })
    changed ||= displayContent !== undefined
    shown.push(displayContent ?? delta)
  }
  return changed ? shown.join('\n') : undefined
}
