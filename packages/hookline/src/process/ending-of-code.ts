/** Reads a shell's word on how a child ended. */
import { constants } from 'node:os'
import type { Ending } from '../protocol/ending.ts'

// Some signals have two names; the first is the one that Node uses.
const signals = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

/** A code above 128 is a signal's when the shell spoke of it; else it is the command's own. */
export function endingOfCode(code: number, { hasSpoken }: { hasSpoken: boolean }): Ending {
  if (code <= 128 || !hasSpoken) return { kind: 'exited', code }
  return { kind: 'signalled', signal: signals.get(code - 128) ?? 'unknown' }
}
