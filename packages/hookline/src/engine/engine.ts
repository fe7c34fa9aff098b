/** What all scopes of one Hookline share: the snapshot, the handlers, the trace, and the ports that the composition brings. */
import type { BoundedRegex } from '../config/matcher.ts'
import { nearest } from '../config/nearest.ts'
import type { ConfiguredHook, Snapshot } from '../config/snapshot.ts'
import { HooklineError } from '../errors.ts'
import type { RealPath } from '../permission/call.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { type NamedRow, rowOf, eventNames as tableNames } from '../protocol/events.ts'
import type { HandlerRunner } from '../protocol/runner.ts'
import type { Late } from '../protocol/trace.ts'
import type { OpenCall } from './call.ts'
import { FailingHooks } from './failing-hooks.ts'
import type { TrustGate } from './gate.ts'
import type { Guard } from './guard.ts'
import { resultReader } from './read-result.ts'
import type { Spill } from './shorten.ts'
import { tell } from './tell.ts'
import { type Moment, TraceSink } from './trace.ts'
import type { TrustDesk } from './trust-desk.ts'
import type { FoldedVerdict } from './verdict.ts'

/** What a composition root gives an engine. Everything but the handlers is optional. */
export interface EngineParts {
  readonly snapshot: Snapshot
  readonly runners: readonly HandlerRunner[]
  /** Rows of host-defined events. */
  readonly events?: readonly NamedRow[]
  readonly trusted?: TrustGate
  /** Where the folder is answered for; absent: nothing here comes with a folder. */
  readonly desk?: TrustDesk
  /** Loads anew; absent: there is nothing to reload. */
  readonly load?: (last: Snapshot) => Promise<Snapshot>
  readonly bounded?: BoundedRegex
  readonly spill?: Spill
  /**
   * Writes a verdict down as it takes effect, before it does: the audit log's seam. `walked` is what the hooks made of the call, where code
   * around them put another verdict in its place. Rejects when the verdict must be written down and cannot be.
   */
  readonly commit?: (verdict: FoldedVerdict, call: OpenCall, walked?: FoldedVerdict) => Promise<void> | undefined
  /** Writes down what is no verdict: permits, ends of background hooks, reloads. Rejects as `commit` does. */
  readonly record?: (moment: Moment) => Promise<void> | undefined
  /** The file that a session's hooks may append variables to. */
  readonly envFile?: (sessionId: string) => string | null
  readonly budgetMs?: number
  /** A person is there: a call cannot be deferred. */
  readonly interactive?: boolean
  readonly stopBlockCap: number
  readonly keepTrace: number
  readonly onNotice?: (notice: Diagnostic) => void
  readonly onRewake?: (late: Late) => void
  /** The person's home folder, for rules with `~/`. */
  readonly home?: string
  /** Where paths lead, for rules about paths; absent: links are not followed. */
  readonly realPath?: RealPath
  /** Refuses tool calls that would change what guards this session; absent: nothing here needs it. */
  readonly guard?: Guard
  /** Frees what the composition root holds: watchers, files. */
  readonly onClose?: () => unknown
}

/** The shared state of one Hookline. */
export class Engine {
  readonly parts: EngineParts
  readonly runners: Map<string, HandlerRunner>
  readonly trace: TraceSink
  readonly trusted: TrustGate
  /** Counts everything that can change a plan: attached hooks, middleware, reloads. */
  version = 0
  readonly failing = new FailingHooks()
  /** Reads a hook's result. */
  readonly read = resultReader(this)
  readonly #events: ReadonlyMap<string, NamedRow>
  #snapshot: Snapshot
  #codeHooks = 0

  constructor(parts: EngineParts) {
    this.parts = parts
    this.#snapshot = parts.snapshot
    this.runners = new Map(parts.runners.map((runner) => [runner.type, runner]))
    this.trace = new TraceSink(parts.keepTrace, (notice) => this.notice(notice))
    this.trusted = parts.trusted ?? parts.desk?.gate ?? (() => undefined)
    this.#events = new Map((parts.events ?? []).map((row) => [row.name, row]))
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }
  get spill(): Spill | undefined {
    return this.parts.spill
  }
  get commit(): EngineParts['commit'] {
    return this.parts.commit
  }
  get budgetMs(): number | undefined {
    return this.parts.budgetMs
  }

  /** Tells that plans are out of date. */
  changed(): void {
    this.version += 1
  }

  /** Replaces the snapshot as a whole; calls in flight keep the old one. */
  replace(snapshot: Snapshot): void {
    this.#snapshot = snapshot
    this.changed()
  }

  /** Adds a handler that comes later than the others, unless there is one of its type. */
  addRunner(runner: HandlerRunner): void {
    if (this.runners.has(runner.type)) return
    this.runners.set(runner.type, runner)
    this.changed()
  }

  /** From now on verdicts are written down: a policy that came later demands it. */
  keepRecords(commit: NonNullable<EngineParts['commit']>): void {
    Object.assign(this.parts, { commit })
    this.changed()
  }

  /** A number no other hook in code of this engine has. */
  nextCodeHook(): number {
    return this.#codeHooks++
  }

  /** Something that is no verdict, to the trace and into the log; `undefined` when nothing is left to wait for. */
  mark(moment: Moment): Promise<void> | undefined {
    if (this.trace.active) this.trace.write(moment)
    return this.parts.record?.(moment)
  }

  /** A standing warning or a failing hook, to the host and the trace; a listener that throws is left out. */
  notice(notice: Diagnostic): void {
    if (this.trace.active) this.trace.write({ kind: 'notice', notice })
    // When the host's own listener fails there is nobody left to tell, and the engine must not fall over it.
    if (this.parts.onNotice !== undefined) tell(this.parts.onNotice, notice, () => undefined)
  }

  /**
   * The row of an event, given by name or by definition.
   * @throws HooklineError `unknown-event`, with the nearest name.
   */
  rowFor(event: string | { readonly name: string }): NamedRow {
    if (typeof event === 'object' && event !== null && 'handlers' in event && 'powers' in event) return event as NamedRow
    const name = typeof event === 'string' ? event : String(event?.name)
    const row = rowOf(name) ?? this.#events.get(name)
    if (row !== undefined) return row
    const near = nearest(name, [...this.eventNames()])
    throw new HooklineError('unknown-event', `"${name}" is not an event.`, {
      hint: near === undefined ? 'See docs/reference/events.md for the names, or define your own with defineEvent.' : `Did you mean "${near}"?`,
    })
  }

  /** The hooks of an event from settings, in configuration order. */
  settingsHooks(row: NamedRow): readonly ConfiguredHook[] {
    return this.#snapshot.hooks.filter((hook) => hook.event === row.name)
  }

  *eventNames(): Iterable<string> {
    yield* this.#events.keys()
    yield* tableNames
  }
}
