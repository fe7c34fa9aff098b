/** One moving line at the bottom while something runs: what, and for how long. */
import { oneLine, type Paint } from './text.ts'

export interface Spinner {
  /** Shows `text`; the seconds count from the first call with this key. */
  show(key: string, text: string): void
  /** Takes what this key showed away. */
  done(key: string): void
  /** Wipes the line, so that other text can be written; it comes back by itself. */
  clear(): void
  /** While a line is being written it must not be wiped. */
  quiet(quiet: boolean): void
  stop(): void
}

export interface SpinnerOptions {
  paint: Paint
  width: () => number
  /** The terminal cannot wipe a line: nothing moves. */
  still: boolean
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 100

export function createSpinner(write: (text: string) => void, { paint, width, still }: SpinnerOptions): Spinner {
  const shown = new Map<string, { text: string; since: number }>()
  let frame = 0
  let drawn = false
  let hushed = false
  let timer: NodeJS.Timeout | undefined
  const clear = (): void => {
    if (drawn) write('\r\u001b[K')
    drawn = false
  }
  const draw = (): void => {
    const last = [...shown.values()].at(-1)
    if (last === undefined || hushed) return
    const seconds = Math.floor((Date.now() - last.since) / 1000)
    const more = `${shown.size > 1 ? ` (+${shown.size - 1})` : ''}${seconds > 0 ? ` ${seconds} s` : ''}`
    frame = (frame + 1) % frames.length
    write(`\r\u001b[K${paint('cyan', frames[frame] as string)} ${oneLine(last.text, width() - 3 - more.length)}${more}`)
    drawn = true
  }
  return {
    show(key, text) {
      shown.set(key, { text, since: shown.get(key)?.since ?? Date.now() })
      if (!still) timer ??= setInterval(draw, frameMs).unref()
    },
    done(key) {
      shown.delete(key)
      if (shown.size > 0) return
      clear()
      clearInterval(timer)
      timer = undefined
    },
    clear,
    quiet(quiet) {
      hushed = quiet
    },
    stop() {
      shown.clear()
      clear()
      clearInterval(timer)
      timer = undefined
    },
  }
}
