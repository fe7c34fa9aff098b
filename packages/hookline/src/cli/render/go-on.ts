/** What is said when nothing stands in the way. */
import type { Paint } from './paint.ts'
import { count } from './shown.ts'

/** The one line. */
export function goOn(why: string, paint: Paint): string {
  return `${paint.green('go on')}: ${why}`
}

/** Nobody has a hook for this event, or all that there are were passed by. */
export function noHookRan(event: string, skipped: number): string {
  return skipped === 0 ? `no hook is configured for ${event}` : `no hook ran, ${count(skipped, 'hook')} skipped`
}
