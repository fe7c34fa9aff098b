/** The snapshot of a Hookline that reads no settings. */
import { composeSnapshot } from './compose.ts'
import type { Snapshot } from './snapshot.ts'

/** No hooks, no rules, no policy. */
export const emptySnapshot: Snapshot = composeSnapshot([])
