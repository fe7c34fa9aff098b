/** What is said when nothing stands in the way. */
import type { Paint } from './paint.ts'

/** The one line. */
export function goOn(why: string, paint: Paint): string {
  return `${paint.green('go on')}: ${why}`
}

/** Nobody has a hook for this event. */
export function noHook(event: string): string {
  return `no hook is configured for ${event}`
}
