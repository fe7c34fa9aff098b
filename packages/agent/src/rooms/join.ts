/** Joins rooms to the options of an agent: services side by side, prompts read by the first that answers, one end for all. */

import type { SessionHandle } from '../session/handle.ts'
import type { AgentOptions } from '../session/options.ts'
import type { Room } from './room.ts'

export interface Joined {
  options: AgentOptions
  /** Opens every room, in order; call it after the session was opened and before it starts. */
  open(session: SessionHandle): Promise<void>
  close(): Promise<void>
}

/** What `options` has of its own comes first, and wins. */
export function joinRooms(options: AgentOptions, rooms: readonly Room[]): Joined {
  const given = <K extends 'expander' | 'starter' | 'note'>(key: K) => rooms.flatMap((room) => (room[key] === undefined ? [] : [room[key]]))
  return {
    options: {
      ...options,
      services: Object.assign({}, ...rooms.map((room) => room.services ?? {}), options.services),
      expanders: [...(options.expanders ?? []), ...given('expander')],
      starters: [...(options.starters ?? []), ...given('starter')],
      notes: [...(options.notes ?? []), ...given('note')],
    },
    async open(session) {
      for (const room of rooms) await room.open?.(session)
    },
    async close() {
      await Promise.all(rooms.map(async (room) => room.close?.()))
    },
  }
}
