/** Shows the first line that a process printed, a moment after it printed it, while the process still runs. */
import { decode } from './decode.ts'
import { afterPoll } from './wait.ts'

/** Reads the line as far as it is there. True ends the looking. */
export type ReadLine = (line: string) => boolean

export interface FirstLine {
  /** There are new bytes. */
  add(): void
  stop(): void
}

// A process that ends within this moment ends as any other; only one that goes on is asked what its first line meant.
const momentMs = 50
// A line that only asks for something is short (`engine/interpret-background` reads as many).
const longest = 200
const brace = 0x7b

/** Follows a stream whose bytes so far are in `soFar`. A stream that does not begin with `{` is left alone. */
export function followFirstLine(read: ReadLine, soFar: () => Uint8Array): FirstLine {
  let over = false
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    over = true
    clearTimeout(timer)
  }
  const look = () => {
    timer = undefined
    if (over) return
    const printed = decode(soFar().subarray(0, 4 * longest), { cut: true }).text.trimStart()
    const end = printed.indexOf('\n')
    const line = (end === -1 ? printed : printed.slice(0, end)).trim()
    if (line.length > longest || read(line) || end !== -1) stop()
  }
  return {
    add() {
      if (over || timer !== undefined) return
      const first = soFar().find((byte) => byte > 0x20)
      if (first === undefined) return
      if (first !== brace) return stop()
      timer = setTimeout(() => afterPoll(look), momentMs)
    },
    stop,
  }
}
