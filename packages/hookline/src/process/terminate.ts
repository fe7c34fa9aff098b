/** Ends a run's whole process tree: asked first, then forced, never waiting without end. */
import { setTimeout as pause } from 'node:timers/promises'
import { findLiving, type Tree } from './census.ts'
import { type GroupSignal, isGroupAlive, send, signalGroup } from './group.ts'

// SIGTERM, one second to tidy up, SIGKILL: the tree is gone within two seconds (design decision 13).
const graceMs = 1_000
const forcedMs = 800
const longestPauseMs = 40
// A look at all processes of the machine costs; signalling tells as much until a group stays where it should have gone.
const firstLookMs = 30

/** Settles when the tree is gone, at the latest 1.8 s from now. */
export async function terminate(tree: Tree): Promise<void> {
  if (await end(tree, { signal: 'SIGTERM', withinMs: graceMs })) return
  await end(tree, { signal: 'SIGKILL', withinMs: forcedMs })
}

async function end({ leader, mark, fenced }: Tree, { signal, withinMs }: { signal: GroupSignal; withinMs: number }): Promise<boolean> {
  const began = performance.now()
  // Who started a session of its own is out of the group's reach, and is told by itself, once.
  const told = new Set<number>()
  let lookAfter = firstLookMs
  // A fence that is asked to end takes all behind it down at once; they are asked instead, one by one.
  const gently = fenced === true && signal === 'SIGTERM'
  if (gently) lookAfter = 0
  else signalGroup(leader, signal)
  for (let wait = 2; ; wait = Math.min(wait * 2, longestPauseMs)) {
    await pause(wait)
    const passed = performance.now() - began
    // Who had its time is forced now: a look comes after that, since on a busy machine it has to wait for its turn.
    if (signal === 'SIGTERM' && passed >= withinMs && isGroupAlive(leader)) return false
    if (passed >= lookAfter || passed >= withinMs || !isGroupAlive(leader)) {
      lookAfter = passed * 2
      const living = await findLiving({ leader, mark, ...(fenced === undefined ? {} : { fenced }) })
      if (living === undefined ? !isGroupAlive(leader) : living.length === 0) return true
      for (const { pid, stray, fence } of living ?? []) {
        if (fence || !(stray || gently) || told.has(pid)) continue
        told.add(pid)
        send(pid, signal)
      }
    }
    if (passed >= withinMs) return false
  }
}
