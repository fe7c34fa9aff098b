/** What the host's choice of trust lets run (design decision 7). */
import type { Skipped } from '../protocol/hook.ts'
import type { TrustMode } from '../protocol/ports.ts'
import type { ConfiguredHook } from './snapshot.ts'

/** How a person answers for what was left out, in words for the reason. */
export interface TrustWords {
  readonly how: string
}

/** Why a hook waits for an answer; `undefined` when it may run. */
export function trustGate(mode: TrustMode, { how }: TrustWords): (hook: ConfiguredHook) => Skipped | undefined {
  if (mode === 'implicit') return () => undefined
  if (mode === 'pinned')
    return ({ info }) =>
      info.trust === 'untrusted' || info.trust === 'changed'
        ? { why: 'untrusted', detail: `what ${info.source.id} brings was not accepted; ${how}` }
        : undefined
  // Until the folder is answered for nothing from a settings file runs there, not even the user's own (the base's rule).
  return ({ info, callback }) =>
    callback !== undefined || info.source.kind === 'builtin' ? undefined : { why: 'untrusted', detail: `this folder was not answered for yet; ${how}` }
}
