/** The verdict of a call that nobody answered: one small object whose parts are made when they are read. */
import type { FireOptions } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { OpenCall, PlainInput } from './call.ts'
import type { FoldedVerdict } from './verdict.ts'
import { fullVerdict } from './verdict-class.ts'

/** Opens a call on demand. */
export interface CallOpener {
  openCall(row: NamedRow, input: unknown, options?: FireOptions): OpenCall
}

const none: readonly never[] = Object.freeze([])

/**
 * A verdict without any answer: nothing of the input is looked at, copied or checked before somebody reads it.
 * Its fields are plain ones for the sake of its classes (see `quiet-class.ts`).
 */
export class QuietVerdict {
  declare protected readonly row: NamedRow
  /** Gone once the call is open. */
  declare protected opener: CallOpener | undefined
  /** The input as it was given, then the open call. */
  declare protected held: unknown

  constructor(row: NamedRow, opener: CallOpener, input: unknown) {
    this.row = row
    this.opener = opener
    this.held = input
  }

  protected open(): OpenCall {
    if (this.opener !== undefined) {
      this.held = this.opener.openCall(this.row, this.held)
      this.opener = undefined
    }
    return this.held as OpenCall
  }

  get event(): string {
    return this.row.name
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
    return none
  }

  protected filled(): FoldedVerdict {
    return fullVerdict({ call: this.open(), parts: none, hooks: none, warnings: none })
  }

  and(answer: object, by?: string): FoldedVerdict {
    return this.filled().and(answer, by)
  }

  toJSON(): object {
    return this.filled().toJSON()
  }
}
