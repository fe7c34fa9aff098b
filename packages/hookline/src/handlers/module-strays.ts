/** Processes that a module started: they are found by the mark in their environment and go with its worker. */
import { findLiving } from '../process/census.ts'
import { send } from '../process/group.ts'

// No process leads this group: only the mark tells.
const nobody = -1
const looks = 3

/** Ends what carries the mark. A worker leads no group, so that there is nothing to ask first. */
export async function endStrays(mark: string): Promise<void> {
  for (let look = 0; look < looks; look++) {
    const living = (await findLiving({ leader: nobody, mark })) ?? []
    if (living.length === 0) return
    for (const { pid } of living) send(pid, 'SIGKILL')
  }
}
