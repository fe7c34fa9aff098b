/** Tells the host of failures: each one, and once more, as a standing warning, when a hook keeps failing (security §6). */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookId } from '../protocol/hook.ts'

/** So many failures of one hook … */
const failuresToTell = 3
/** … within so many milliseconds are more than bad luck. */
const failureWindowMs = 60_000

// Hooks in code come and go with ids of their own.
const mostHooks = 1_000

/** Counts the failures of each hook of one engine. */
export class FailingHooks {
  readonly #failures = new Map<HookId, number[]>()
  readonly #told = new Set<HookId>()
  /** Whether any hook failed lately. A plain field: it is asked at every event. */
  any = false

  /** Notes a failure. True when it is the one that makes the hook stand out; not again until the hook has ended well. */
  failed(id: HookId, now: number): boolean {
    const recent = [...(this.#failures.get(id) ?? []).filter((at) => now - at < failureWindowMs), now].slice(-failuresToTell)
    this.#failures.delete(id)
    this.#failures.set(id, recent)
    this.any = true
    if (this.#failures.size > mostHooks) this.#forget(this.#failures.keys().next().value as HookId)
    if (recent.length < failuresToTell || this.#told.has(id)) return false
    this.#told.add(id)
    return true
  }

  /** Notes that a hook ended well. */
  succeeded(id: HookId): void {
    if (this.any) this.#forget(id)
  }

  #forget(id: HookId): void {
    this.#failures.delete(id)
    this.#told.delete(id)
    this.any = this.#failures.size > 0
  }
}

/** Where failures are told and counted. */
export interface FailureDesk {
  readonly failing: FailingHooks
  notice(notice: Diagnostic): void
}

/** Tells the host of one failure. `message` names the hook; an aborted hook did nothing wrong and is not counted. */
export function tellFailure(desk: FailureDesk, hook: { readonly id: HookId; readonly label: string }, message: { text: string; aborted: boolean }): void {
  const told = { severity: 'warning' as const, hook: hook.id }
  desk.notice({ ...told, code: 'hook-failed', message: message.text })
  if (message.aborted || !desk.failing.failed(hook.id, performance.now())) return
  desk.notice({
    ...told,
    code: 'hook-keeps-failing',
    message: `Hook "${hook.label}" (${hook.id}) failed ${failuresToTell} times within ${failureWindowMs / 1_000} s. The last failure: ${message.text}`,
    hint: 'Put the hook right, or switch it off by its id in "disabledHooks" of the user settings.',
  })
}
