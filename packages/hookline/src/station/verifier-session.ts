/** Opens the private sessions of verifiers: engines of their own, without settings, whose Stop loop sends the verifier back once. */
import type { OpenVerifier, VerifierSession } from '../protocol/verifier.ts'
import { type Assembly, assemble } from './assemble.ts'

/** `parts` makes an empty snapshot and the handler of function hooks, anew for each session: closing one ends its handler. */
export function verifierSessions(parts: () => Pick<Assembly, 'snapshot' | 'runners'>): OpenVerifier {
  return (place) => assemble({ ...place, stopBlockCap: 1 }, parts()) as unknown as VerifierSession
}
