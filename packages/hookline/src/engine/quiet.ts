/** The verdict of a call that nobody answered, without hooks or with hooks that said nothing: one small object whose parts are made when they are read. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { ClosedCall, RunContext, RunnableHook } from '../protocol/runner.ts'
import { OpenCall } from './call.ts'
import type { PlainInput } from './check-input.ts'
import { reportSilent, type Walk } from './corridor.ts'
import { HookRun } from './hook-run.ts'
import type { FoldedVerdict } from './verdict.ts'
import { fullVerdict } from './verdict-class.ts'

const none: readonly never[] = Object.freeze([])

/**
 * A verdict without any answer: nothing of the input is looked at, copied or checked before somebody reads it. Until then it is also the
 * closed call that hooks in code are asked with. Its fields are plain ones for the sake of its classes (see `quiet-class.ts`).
 */
export abstract class QuietVerdict implements ClosedCall {
  declare protected readonly way: Walk
  /** The input as it was given, then the open call. */
  declare protected held: unknown

  constructor(way: Walk, input: unknown) {
    this.way = way
    this.held = input
  }

  /** A promise of this verdict. Each class has its own, because V8 spares the question for a `then` only where it knows the class. */
  abstract promised(): Promise<this>

  /** Opens the call: fills in the common fields and checks the whole. */
  open(): OpenCall {
    if (!(this.held instanceof OpenCall)) this.held = this.way.scope.openCall(this.way.plan.row, this.held)
    return this.held as OpenCall
  }

  /** Asked for in turn with a check of what was given, so that it is not checked again. */
  contextFor(hook: RunnableHook): RunContext {
    if (!(this.held instanceof OpenCall)) this.held = this.way.scope.openChecked(this.way.plan.row, this.held as object)
    return new HookRun(hook as ConfiguredHook, this.open(), { desk: this.way })
  }

  /** The input as far as it is known: that of the host, or of the open call. */
  get given(): unknown {
    return this.held instanceof OpenCall ? this.held.input : this.held
  }

  get event(): string {
    return this.row.name
  }
  protected get row(): NamedRow {
    return this.way.plan.row
  }
  get callId(): string {
    return this.open().callId
  }
  get sessionId(): string {
    return this.open().sessionId
  }
  get ms(): number {
    return 0
  }
  get blocked(): boolean {
    return false
  }
  get input(): PlainInput {
    return this.open().input
  }
  get toModel(): string {
    return ''
  }
  get toUser(): string {
    return ''
  }
  get messages(): readonly never[] {
    return none
  }
  get conflicts(): readonly never[] {
    return none
  }
  get warnings(): readonly never[] {
    return none
  }
  get hooks(): readonly HookReport[] {
    return this.way.plan.quiet ? none : reportSilent(this.open(), this.way)
  }

  protected filled(): FoldedVerdict {
    return fullVerdict({ call: this.open(), parts: none, hooks: this.hooks, warnings: none })
  }

  and(answer: object, by?: string): FoldedVerdict {
    return this.filled().and(answer, by)
  }

  toJSON(): object {
    return this.filled().toJSON()
  }
}
