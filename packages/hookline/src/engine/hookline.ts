/** One Hookline: the scope above all sessions, with listing, reloading, trace and trust. */
import type { ConfiguredHook, Snapshot } from '../config/snapshot.ts'
import { HooklineError } from '../errors.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookId, HookInfo, SourceKind } from '../protocol/hook.ts'
import type { Trust } from '../protocol/ports.ts'
import type { Reload, Trace } from '../protocol/trace.ts'
import { changedKinds, vetoReload } from './reload.ts'
import type { AnyEvent, Seat } from './seat.ts'
import { SessionScope } from './session.ts'

const listingOrder: readonly SourceKind[] = ['user', 'project', 'local', 'plugin', 'builtin', 'session', 'managed']

/** What the top scope needs beside a seat. */
export interface HooklineSeat extends Seat {
  readonly trust: Trust
}

/** Itself the scope of its own session. */
export class HooklineScope extends SessionScope {
  readonly trust: Trust
  readonly #sessions = new Map<string, SessionScope>()
  #reloading: Promise<unknown> = Promise.resolve()

  constructor(seat: HooklineSeat) {
    super(seat)
    this.trust = seat.trust
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.engine.snapshot.diagnostics
  }
  get trace(): Trace {
    return this.engine.trace
  }
  /** The snapshot in force, for the command line and for composition. */
  get snapshot(): Snapshot {
    return this.engine.snapshot
  }

  /** Same id, same session; `base` fills common input fields of a new one, a function those that change. */
  session(id: string, base: Record<string, unknown> | ((event: string) => Record<string, unknown>) = {}): SessionScope {
    if (this.closed) throw new HooklineError('closed', 'This Hookline is closed.', { hint: 'Create a new one.' })
    if (typeof id !== 'string' || id === '') throw new HooklineError('invalid-option', 'session(): give the session id as a string.')
    if (id === this.sessionId) return this
    const known = this.#sessions.get(id)
    if (known !== undefined && !known.closed) return known
    const { live: _, ...seat } = this.seat
    const session = new SessionScope({
      ...seat,
      ...(typeof base === 'function' ? { live: base } : {}),
      parent: this,
      session: { sessionId: id, spent: new Set(), dynamicWatch: [] },
      base: { ...seat.base, ...(typeof base === 'function' ? {} : base), session_id: id },
    })
    this.#sessions.set(id, session)
    return session
  }

  list(filter: { event?: AnyEvent } = {}): readonly HookInfo[] {
    const only = filter.event === undefined ? undefined : this.engine.rowFor(filter.event).name
    const hooks = [...this.engine.snapshot.hooks, ...this.attached.all()].filter((hook) => only === undefined || hook.event === only)
    const place = (hook: ConfiguredHook) => listingOrder.indexOf(hook.info.source.kind)
    return hooks
      .map((hook, index) => ({ hook, index }))
      .sort((a, b) => place(a.hook) - place(b.hook) || a.index - b.index)
      .map(({ hook }) => hook.info)
  }

  /** Loads anew, asks the hooks of the change, and swaps the snapshot whole. One reload at a time. */
  reload(): Promise<Reload> {
    const next = this.#reloading.then(() => this.#reloadNow())
    this.#reloading = next.catch(() => undefined)
    return next
  }

  async #reloadNow(): Promise<Reload> {
    if (this.closed) throw new HooklineError('closed', 'This Hookline is closed.', { hint: 'Create a new one.' })
    const before = this.engine.snapshot
    const { load } = this.engine.parts
    if (load === undefined) return { applied: false, added: [], removed: [], needTrust: [], diagnostics: before.diagnostics }
    const after = await load(before)
    const { added, removed } = difference(before, after)
    const vetoedBy = await vetoReload(this, changedKinds(before, after))
    const found = {
      added,
      removed,
      needTrust: after.hooks.filter((hook) => hook.info.trust === 'untrusted' || hook.info.trust === 'changed').map((hook) => hook.info.id),
      diagnostics: after.diagnostics,
    }
    const reload: Reload = vetoedBy === undefined ? { applied: true, ...found } : { applied: false, vetoedBy, ...found }
    // In the log first; where that is not to be had, stricter settings must not wait for it.
    await this.engine.mark({ kind: 'reloaded', reload })?.catch(() => undefined)
    if (reload.applied) this.engine.replace(after)
    this.engine.parts.desk?.refresh()
    for (const notice of after.diagnostics) if (notice.code === 'kept-last-good') this.engine.notice(notice)
    return reload
  }

  override async close(): Promise<void> {
    if (this.closed) return
    await super.close()
    for (const runner of this.engine.runners.values()) await runner.close?.()
    await this.engine.parts.onClose?.()
  }
}

function difference(before: Snapshot, after: Snapshot): { added: HookId[]; removed: HookId[] } {
  const key = (hook: ConfiguredHook) => `${hook.info.id} ${hook.info.digest}`
  const old = new Set(before.hooks.map(key))
  const now = new Set(after.hooks.map(key))
  return {
    added: after.hooks.filter((hook) => !old.has(key(hook))).map((hook) => hook.info.id),
    removed: before.hooks.filter((hook) => !now.has(key(hook))).map((hook) => hook.info.id),
  }
}
