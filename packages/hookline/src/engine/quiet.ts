/** The verdict of a call that nobody answered: one small object whose parts are made when they are read. */
import type { FireOptions } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { OpenCall, PlainInput } from './call.ts'
import { FoldedVerdict } from './verdict.ts'

/** Opens a call on demand. */
export interface CallOpener {
  openCall(row: NamedRow, input: unknown, options?: FireOptions): OpenCall
}

const none: readonly never[] = Object.freeze([])

/** A verdict without any answer: nothing of the input is looked at, copied or checked before somebody reads it. */
export class QuietVerdict {
  readonly #opener: CallOpener
  readonly #given: unknown
  #call: OpenCall | undefined

  constructor(opener: CallOpener, input: unknown) {
    this.#opener = opener
    this.#given = input
  }

  /** Whether this is a verdict of ours, and not something that only looks like one. */
  static is(value: unknown): value is QuietVerdict {
    return typeof value === 'object' && value !== null && #opener in value
  }

  /** Set on the prototype of each row's class. */
  declare readonly row: NamedRow

  #open(): OpenCall {
    this.#call ??= this.#opener.openCall(this.row, this.#given)
    return this.#call
  }

  get event(): string {
    return this.row.name
  }
  get callId(): string {
    return this.#open().callId
  }
  get sessionId(): string {
    return this.#open().sessionId
  }
  get ms(): number {
    return 0
  }
  get blocked(): boolean {
    return false
  }
  get input(): PlainInput {
    return this.#open().input
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
    return none
  }

  /** Set on the prototype of each row's class: what this verdict becomes when something is added. */
  declare readonly full: typeof FoldedVerdict

  #filled(): FoldedVerdict {
    return new this.full({ call: this.#open(), parts: none, hooks: none, warnings: none })
  }

  and(answer: object, by?: string): FoldedVerdict {
    return this.#filled().and(answer, by)
  }

  toJSON(): object {
    return this.#filled().toJSON()
  }
}
