/** How one hook's run ended: a closed union, written once, first cause wins. No exit code is ever invented. */
export type Ending =
  | { kind: 'exited'; code: number }
  | { kind: 'returned' }
  | { kind: 'replied'; status: number }
  | { kind: 'judged'; ok: boolean; reason?: string }
  | { kind: 'timedOut'; afterMs: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'aborted' }
  | { kind: 'unspawnable'; why: string }
  | { kind: 'refused'; why: string }
  | { kind: 'threw'; error: string }
  | { kind: 'overflowed'; stream: 'stdout' | 'stderr' | 'body'; limit: number }
  | { kind: 'deferred'; jobId: string }

/** What an ending, together with the answer beside it, amounts to for this event. */
export type Outcome = 'success' | 'blocking' | 'nonBlockingError' | 'cancelled'
