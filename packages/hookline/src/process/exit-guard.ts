/** Leaves no process behind when the host exits while hooks run. */
import { signalGroup } from './group.ts'

const live = new Set<number>()

/** Kills the group that `leader` leads if this process exits before the returned function is called. */
export function guardExit(leader: number): () => void {
  // One listener for all runs of all starters, and only while something runs: the host's list of listeners stays its own.
  if (live.size === 0) process.on('exit', killAll)
  live.add(leader)
  return () => {
    if (live.delete(leader) && live.size === 0) process.off('exit', killAll)
  }
}

function killAll(): void {
  for (const leader of live) signalGroup(leader, 'SIGKILL')
}
