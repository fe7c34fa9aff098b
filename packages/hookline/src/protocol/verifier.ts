/** What an agent hook's verifier works in: a private session, of which no hook of the host is a part (design decision 14). */
import type { Awaitable } from './answering.ts'
import type { EventRef } from './event-types.ts'

/** A session of a verifier's own. Its only hooks are the function hooks that its handler registers. */
export interface VerifierSession {
  addFunctionHook(event: EventRef, options: { id: string; errorMessage: string }, check: () => Awaitable<boolean>): unknown
  fire(event: EventRef, fields: object): Promise<{ readonly blocked: boolean; readonly toModel: string }>
  close(): Promise<void>
}

/** Opens one; it must be closed when the verifier is done. */
export type OpenVerifier = (place: { readonly sessionId: string; readonly cwd: string }) => VerifierSession
