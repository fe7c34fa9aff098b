/** Closing what was opened by number. */
import { closeSync } from 'node:fs'

/** Closes a descriptor. A system that complains has closed it all the same, and nobody can do more about it. */
export function closeDescriptor(descriptor: number): void {
  try {
    closeSync(descriptor)
  } catch {
    // Closed.
  }
}
