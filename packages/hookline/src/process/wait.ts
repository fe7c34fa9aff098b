/** Waiting with a bound, and leaving the event loop as it was. */
import { Deadlines } from '../protocol/deadlines.ts'

/** The deadlines of everything that waits for a process or a thread: one timer for all of them. */
export const deadlines = new Deadlines()

/** Settles when `awaited` does or `ms` have passed, whichever is first. */
export async function within(ms: number, awaited: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(() => afterPoll(resolve), ms)
  })
  await Promise.race([awaited, bound])
  clearTimeout(timer)
}

/**
 * Calls back once the event loop has looked for what already happened.
 * A host that kept the loop busy finds its timers due before it reads exits and output that came long ago; those came first.
 */
export function afterPoll(act: () => void): void {
  setImmediate(act)
}
