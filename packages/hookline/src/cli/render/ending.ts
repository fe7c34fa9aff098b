/** How a run ended, in a few words. */
import type { Ending } from '../../index.ts'
import { shownLine } from './shown.ts'

/** `exit 2`, `timed out after 60 s`, `did not start: …`. */
export function endingWords(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exit ${ending.code}`
    case 'returned':
      return 'returned'
    case 'replied':
      return `status ${ending.status}`
    case 'judged':
      return ending.ok ? 'judged ok' : 'judged not ok'
    case 'timedOut':
      return `timed out after ${time(ending.afterMs)}`
    case 'signalled':
      return `killed by ${ending.signal}`
    case 'aborted':
      return 'ended early'
    case 'unspawnable':
      return `did not start: ${shownLine(ending.why)}`
    case 'refused':
      return `refused: ${shownLine(ending.why)}`
    case 'threw':
      return `threw: ${shownLine(ending.error)}`
    case 'overflowed':
      return `${ending.stream} over ${ending.limit / 1024} KiB`
    case 'deferred':
      return 'runs in the background'
  }
}

/** How a run ended and how long it took: `exit 2, 2 ms`. */
export function runWords({ ending, ms }: { readonly ending: Ending; readonly ms: number }): string {
  return ending.kind === 'deferred' || ending.kind === 'timedOut' ? endingWords(ending) : `${endingWords(ending)}, ${time(ms)}`
}

/** `2 ms`, `1.5 s`, `3 min`. */
export function time(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const seconds = ms / 1_000
  return seconds < 120 ? `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
