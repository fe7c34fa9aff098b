/** The gate in front of everything: what policy, trust or a fault at load keeps from running, for every event alike. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { Check, Skipped } from '../protocol/hook.ts'

/** Decides whether a hook's source was answered for; without one every hook is. */
export type TrustGate = (hook: ConfiguredHook) => Skipped | undefined

/** Why a hook must not even be looked at; `undefined` when it may. Notes each check when a list is given. */
export function gate(hook: ConfiguredHook, trusted: TrustGate, checks?: Check[]): Skipped | undefined {
  if (hook.fault !== undefined) {
    checks?.push({ check: hook.fault.why, result: 'no', detail: hook.fault.detail })
    return hook.fault
  }
  const distrust = trusted(hook)
  checks?.push({ check: 'untrusted', result: distrust === undefined ? 'yes' : 'no', detail: distrust?.detail ?? trustWords(hook) })
  return distrust
}

function trustWords(hook: ConfiguredHook): string {
  return hook.info.trust === 'not-needed' ? `${hook.info.source.kind} hooks need no consent` : `what ${hook.info.source.id} brings is accepted`
}
