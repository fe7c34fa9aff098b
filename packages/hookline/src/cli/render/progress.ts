/** Shows on a terminal which hooks are running and for how long; nothing for hooks that are quick. */
import type { Trace } from '../../index.ts'
import type { Screen } from '../terminal.ts'
import { time } from './ending.ts'
import { shownLine } from './shown.ts'

interface Running {
  readonly text: string
  readonly since: number
}

const firstLookMs = 400
const tickMs = 250

/** Follows the trace until the returned function is called; the line is gone then. */
export function showProgress(trace: Trace, screen: Screen): () => void {
  const running = new Map<string, Running>()
  let drawn = false
  const clear = () => {
    if (drawn) screen.write('\r\u001b[2K')
    drawn = false
  }
  const draw = () => {
    const now = performance.now()
    const slow = [...running.values()].filter((one) => now - one.since >= firstLookMs)
    clear()
    const first = slow[0]
    if (first === undefined) return
    screen.write(`${first.text} ${time(now - first.since)}${slow.length > 1 ? `, and ${slow.length - 1} more` : ''}`)
    drawn = true
  }
  const timer = setInterval(draw, tickMs)
  timer.unref()
  const undo = trace.subscribe((line) => {
    if (line.kind === 'started')
      running.set(line.hook.id, { text: shownLine(line.statusMessage ?? `running ${line.hook.label}`, 60), since: performance.now() })
    if (line.kind === 'ended') running.delete(line.hook)
  })
  return () => {
    clearInterval(timer)
    undo()
    clear()
  }
}
