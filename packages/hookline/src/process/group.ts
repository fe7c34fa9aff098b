/** A process and everything in its group: is it alive, and how is it signalled. */
import { execFile } from 'node:child_process'

export type GroupSignal = 'SIGTERM' | 'SIGKILL'

/** Signals every process of the group that `leader` leads. Gone already is fine. */
export function signalGroup(leader: number, signal: GroupSignal): void {
  if (process.platform === 'win32') endTree(leader)
  else send(-leader, signal)
}

/** True while any process of the group is left, the leader included. */
export function isGroupAlive(leader: number): boolean {
  return process.platform === 'win32' ? send(leader, 0) : send(-leader, 0)
}

/** Signals one process; false when there is none. A process of another user (a setuid program) exists, but is out of reach. */
export function send(pid: number, signal: GroupSignal | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

// Windows has no groups to signal. Written after its documentation and not run on it.
function endTree(leader: number): void {
  execFile('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => {})
}
