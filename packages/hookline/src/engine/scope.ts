/** One scope: the verbs over the corridor, with what is attached here and in the scopes above. */

import { watchedNames } from '../config/watched-names.ts'
import { HooklineError } from '../errors.ts'
import type { FireOptions, HookOptions, Undo } from '../protocol/answering.ts'
import { events, type NamedRow } from '../protocol/events.ts'
import type { Explanation } from '../protocol/hook.ts'
import type { Permissions, Permit, ToolCall, ToolRun } from '../protocol/permission.ts'
import type { Job, Late } from '../protocol/trace.ts'
import { type AnyCallback, Attached } from './attached.ts'
import { Jobs } from './background.ts'
import { OpenCall } from './call.ts'
import { checkInput, type PlainInput } from './check-input.ts'
import { CommonFields } from './common-fields.ts'
import { type Late as LateLook, type Walk, walk } from './corridor.ts'
import { explainCall } from './explain.ts'
import type { Guard } from './guard.ts'
import type { AnyMiddleware, AnyVerdict } from './middleware.ts'
import { runOutside } from './outside.ts'
import type { Plan } from './plan.ts'
import { QuietVerdict } from './quiet.ts'
import { quietVerdict } from './quiet-class.ts'
import type { AnyEvent, Seat, WayScope } from './seat.ts'
import { type Settling, settleVerdict } from './settle.ts'
import { StopLoop } from './stop-loop.ts'
import { makeWay } from './way.ts'

/** The verbs that engine, session and agent scopes share. */
export class ScopeCore implements WayScope {
  readonly seat: Seat
  readonly attached: Attached
  /** Set by `close`. A plain field: it is asked at every event. */
  closed = false
  readonly #ways = new Map<string, Walk>()
  /** Ways that can be walked without a further question, by the event as it was given. */
  readonly #ready = new Map<AnyEvent, Walk>()
  /** The last of them: hosts fire the same event many times. */
  #lastEvent: AnyEvent | undefined
  #lastWay: Walk | undefined
  readonly #loop: StopLoop
  readonly #closing = new AbortController()
  readonly #children = new Set<ScopeCore>()
  readonly #jobs: Jobs
  readonly #common: CommonFields

  constructor(seat: Seat) {
    this.seat = seat
    this.attached = new Attached(seat.engine)
    this.#loop = new StopLoop(seat.engine.parts.stopBlockCap)
    this.#jobs = new Jobs(seat.engine)
    this.#common = new CommonFields(seat, this.#loop)
    seat.parent?.addChild(this)
  }

  get engine(): Seat['engine'] {
    return this.seat.engine
  }
  get sessionId(): string {
    return this.seat.session.sessionId
  }
  get agentId(): string | undefined {
    return this.seat.agentId
  }
  get projectDir(): string {
    return this.seat.projectDir
  }
  /** Counts the turns of this scope. */
  get turn(): number {
    return this.#loop.turn
  }
  /** Fires when this scope closes. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  has(event: AnyEvent): boolean {
    return !this.#way(this.engine.rowFor(event)).silent
  }

  fire(event: AnyEvent, input: unknown, options?: FireOptions): Promise<AnyVerdict> {
    const way = this.#readyWay(event, options)
    if (way?.silent !== true) return this.#fireLater(event, input, options)
    if (way.plan.loop !== undefined) this.#loop.note(way.plan.loop)
    // Nothing here throws, and within a `try` V8 would make a slower promise.
    return quietVerdict(way, input).promised()
  }

  #fireLater(event: AnyEvent, input: unknown, options: FireOptions | undefined): Promise<AnyVerdict> {
    let verdict: AnyVerdict | Promise<AnyVerdict>
    try {
      verdict = this.fireNow(event, input, options)
    } catch (error) {
      return Promise.reject(error as Error)
    }
    return verdict instanceof QuietVerdict ? verdict.promised() : Promise.resolve(verdict)
  }

  fireNow(event: AnyEvent, input: unknown, options?: FireOptions): AnyVerdict | Promise<AnyVerdict> {
    const way = this.#readyWay(event, options)
    if (way === undefined) return this.#fireOpenly(event, input, options)
    // What follows is all that most events cost.
    const { plan } = way
    if (plan.loop !== undefined) this.#loop.note(plan.loop)
    if (way.silent) return quietVerdict(way, input)
    return way.direct === undefined ? this.run(way, this.openCall(plan.row, input)) : way.direct.fire(input)
  }

  /** The way of an event at which there is nothing more to ask. */
  #readyWay(event: AnyEvent, options: FireOptions | undefined): Walk | undefined {
    if (event !== this.#lastEvent) {
      this.#lastEvent = event
      this.#lastWay = this.#ready.get(event)
    }
    const way = this.#lastWay
    return way === undefined || way.plan.version !== way.engine.version || options !== undefined || way.engine.trace.active ? undefined : way
  }

  /** Fires with every question asked; what needs none of them next time is remembered. */
  #fireOpenly(event: AnyEvent, input: unknown, options: FireOptions | undefined): AnyVerdict | Promise<AnyVerdict> {
    if (this.closed) throw closedError(this.sessionId)
    const row = this.engine.rowFor(event)
    const way = this.#way(row)
    const { plan } = way
    this.#loop.note(row.loop)
    if (options?.signal?.aborted) throw options.signal.reason
    const guard = plan.quiet ? way.guard : undefined
    if (!plan.quiet || row.loop !== 'counted') this.#remember(event, way)
    const given = guard !== undefined && typeof input === 'function' ? (input as () => unknown)() : input
    if (plan.quiet && !this.engine.trace.active && (guard === undefined || !this.refused(guard, given))) {
      if (row.loop === 'counted') this.#loop.count(row, { blocked: false })
      return quietVerdict(way, given)
    }
    return this.run(way, this.openCall(row, given, options), options?.signal)
  }

  /** By name only: definitions may be made anew at every call. */
  #remember(event: AnyEvent, way: Walk): void {
    if (typeof event !== 'string' && event !== way.plan.row) return
    this.#ready.set(event, way)
    this.#lastEvent = undefined
    this.#lastWay = undefined
  }

  refused(guard: Guard, given: unknown): boolean {
    if (typeof given !== 'object' || given === null) return false
    const { tool_name, tool_input, cwd = this.#common.cwd } = given as PlainInput
    return guard.refuses({ tool_name, tool_input, cwd }) !== undefined
  }

  openCall(row: NamedRow, given: unknown, options?: FireOptions): OpenCall {
    const own = typeof given === 'function' ? (given as () => unknown)() : given
    const input = typeof own === 'object' && own !== null && !Array.isArray(own) ? this.#common.fill(row, own) : own
    checkInput(row, input)
    return new OpenCall(row, input, { origin: this, options })
  }

  openChecked(row: NamedRow, own: object): OpenCall {
    return new OpenCall(row, this.#common.fill(row, own), { origin: this, options: undefined })
  }

  on(event: unknown, second?: unknown, third?: unknown): Undo {
    this.assertOpen()
    if (second === undefined) return this.attached.addMany(event as Record<string, readonly unknown[]>)
    const row = this.engine.rowFor(event as AnyEvent)
    const [options, callback] = third === undefined ? [{}, second] : [second, third]
    return this.attached.add(row, { callback: callback as AnyCallback, options: options as HookOptions })
  }

  use(event: AnyEvent, middleware: unknown, options: { name?: string } = {}): Undo {
    this.assertOpen()
    const name = event === '*' ? '*' : this.engine.rowFor(event).name
    return this.attached.use(name, middleware as AnyMiddleware, options.name ?? ((middleware as { name?: string }).name || 'middleware'))
  }

  explain(event: AnyEvent, input: unknown): Explanation {
    this.assertOpen()
    const row = this.engine.rowFor(event)
    const plan = this.#plan(row)
    return explainCall(this.openCall(row, input), { engine: this.engine, plan, spent: this.seat.session.spent })
  }

  permit(call: ToolCall, options?: FireOptions & Partial<Permissions>): Promise<Permit> {
    return this.seat.station.permit(this, call, options)
  }

  runTool<O>(
    call: ToolCall | Permit,
    execute: (input: never, context: { signal: AbortSignal }) => unknown,
    options?: FireOptions & Partial<Permissions>,
  ): Promise<ToolRun<O>> {
    return this.seat.station.runTool(this, call, options === undefined ? { execute } : { execute, options })
  }

  drain(): Late[] {
    return this.#jobs.drain()
  }
  get background(): readonly Job[] {
    return this.#jobs.running
  }
  get watchPaths(): readonly string[] {
    const named = watchedNames(this.#plan(events.FileChanged).hooks, String(this.#common.cwd ?? ''))
    return [...new Set([...named, ...this.seat.session.dynamicWatch])]
  }
  get envFile(): string | null {
    return this.engine.parts.envFile?.(this.sessionId) ?? null
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.#ready.clear()
    this.#lastEvent = undefined
    this.#lastWay = undefined
    this.closed = true
    this.#closing.abort(closedError(this.sessionId))
    for (const child of [...this.#children]) await child.close()
    await this.#jobs.cancelAll()
    this.attached.clear()
    this.seat.parent?.dropChild(this)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  addChild(scope: ScopeCore): void {
    this.#children.add(scope)
  }
  dropChild(scope: ScopeCore): void {
    this.#children.delete(scope)
  }

  /** This scope and those above it, from the outside in. */
  lineage(): ScopeCore[] {
    return [...(this.seat.parent?.lineage() ?? []), this]
  }

  #plan(row: NamedRow): Plan {
    return this.#way(row).plan
  }

  #way(row: NamedRow): Walk {
    const known = this.#ways.get(row.name)
    if (known !== undefined && known.plan.version === this.engine.version && known.plan.row === row) return known
    const way = makeWay(this, row, this.#jobs)
    this.#ways.set(row.name, way)
    return way
  }

  run(way: Walk, call: OpenCall, signal?: AbortSignal): AnyVerdict | Promise<AnyVerdict> {
    const { engine, plan } = way
    call.startedAt = performance.now()
    const finish = (verdict: AnyVerdict): AnyVerdict => {
      if (signal?.aborted) throw signal.reason
      if (this.closed) throw closedError(this.sessionId)
      return this.conclude(plan, verdict)
    }
    if (plan.layers.length > 0 || engine.parts.desk?.asks === true) {
      const verdict = runOutside(call, way, { settling: this.#settling(call, signal), replan: () => this.#plan(plan.row), signals: [signal, this.closing] })
      return verdict instanceof Promise ? verdict.then(finish) : this.conclude(plan, verdict)
    }
    const settle = (verdict: AnyVerdict): AnyVerdict | Promise<AnyVerdict> =>
      plan.loop !== 'counted' && engine.parts.commit === undefined ? verdict : settleVerdict(verdict, this.#settling(call, signal))
    const late = (verdict: AnyVerdict): AnyVerdict | Promise<AnyVerdict> => {
      const settled = settle(verdict)
      return settled instanceof Promise ? settled.then(finish) : finish(settled)
    }
    const verdict = walk(call, way, late as LateLook)
    if (verdict instanceof Promise) return verdict
    const settled = settle(verdict)
    return settled instanceof Promise ? settled.then(finish) : this.conclude(plan, settled)
  }

  #settling(call: OpenCall, signal: AbortSignal | undefined): Settling {
    return { engine: this.engine, call, loop: this.#loop, over: () => signal?.aborted === true || this.closed }
  }

  conclude({ row, watches }: Plan, done: AnyVerdict): AnyVerdict {
    if (watches && 'watchPaths' in done) this.seat.session.dynamicWatch = done.watchPaths as readonly string[]
    const { trace } = this.engine
    if (trace.active)
      trace.write({
        kind: 'verdict',
        event: row.name,
        callId: done.callId,
        sessionId: this.sessionId,
        ...(this.seat.agentId === undefined ? {} : { agentId: this.seat.agentId }),
        verdict: done as never,
      })
    return done
  }

  assertOpen(): void {
    if (this.closed) throw closedError(this.sessionId)
  }
}

function closedError(sessionId: string): HooklineError {
  return new HooklineError('closed', `This scope of session "${sessionId}" is closed.`, { hint: 'Fire before close(), or open a new session.' })
}
