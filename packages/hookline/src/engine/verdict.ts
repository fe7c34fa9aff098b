/** The verdict: the fold of all answers with everything a reader may want, computed when it is read. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HookReport } from '../protocol/hook.ts'
import type { PowerKey } from '../protocol/powers.ts'
import { aggregate, type Folded, type Part } from './aggregate.ts'
import type { OpenCall } from './call.ts'
import type { PlainInput } from './check-input.ts'
import { readAnswer } from './read-answer.ts'
import type { Spill } from './shorten.ts'
import { modelText, userText } from './texts.ts'

/** What a verdict is made from. */
export interface VerdictParts {
  readonly call: OpenCall
  /** In configuration order; middleware's additions come last. */
  readonly parts: readonly Part[]
  readonly hooks: readonly HookReport[] | (() => readonly HookReport[])
  readonly warnings: readonly Diagnostic[]
  /** When the last hook ended, on the clock of `performance.now()`; absent: nothing ran. */
  readonly endedAt?: number
  readonly spill?: Spill | undefined
  /** Settings could not be read, in words: nothing is permitted without a question. */
  readonly unread?: string | undefined
  /** The block is not obeyed: the loop's cap was reached, or policy changed. */
  readonly ignoreBlock?: Diagnostic
}

/**
 * One verdict of any event. Which lists it always has depends on the event's powers, so there are subclasses
 * (`verdict-class.ts`); hosts see it as `Verdict<E>`. Plain fields, for the sake of those (see there).
 */
export class FoldedVerdict {
  declare protected readonly made: VerdictParts
  declare protected fold: Folded | undefined
  declare protected reports: readonly HookReport[] | undefined

  constructor(made: VerdictParts) {
    this.made = made
    this.fold = undefined
    this.reports = undefined
    if (made.parts.length > 0) this.addOptional()
  }

  /** Absent means nobody said it, so optional keys exist only when they hold something (contract §1). */
  protected addOptional(): void {
    const { stop, terminalSequence, values, blocks } = this.folded
    const own = this as unknown as Record<string, unknown>
    for (const key in values) own[key] = values[key as PowerKey]
    if (stop !== undefined) own['stop'] = stop
    if (terminalSequence !== undefined) own['terminalSequence'] = terminalSequence
    const reason = blocks
      .map((block) => block.reason)
      .filter((text) => text !== '')
      .join('\n')
    if (reason !== '') own['reason'] = reason
  }

  /** The fold itself, for the engine's own use. */
  get folded(): Folded {
    const { call, parts, spill, unread } = this.made
    const { row } = call
    this.fold ??= aggregate(row, parts, { spill, unread, unblockable: row.unblockable !== undefined && call.input['source'] === row.unblockable })
    return this.fold
  }

  get row(): NamedRow {
    return this.made.call.row
  }
  get event(): string {
    return this.row.name
  }
  get callId(): string {
    return this.made.call.callId
  }
  get sessionId(): string {
    return this.made.call.sessionId
  }
  get ms(): number {
    const { call, endedAt } = this.made
    return endedAt === undefined ? 0 : Math.max(0, endedAt - call.startedAt)
  }
  get blocked(): boolean {
    return this.folded.blocked && this.made.ignoreBlock === undefined
  }
  get input(): PlainInput {
    const { updatedInput } = this.folded.values
    return updatedInput === undefined ? this.made.call.input : { ...this.made.call.input, tool_input: updatedInput }
  }
  get messages() {
    return this.folded.messages
  }
  get conflicts() {
    return this.folded.conflicts
  }
  get warnings(): readonly Diagnostic[] {
    const { ignoreBlock, warnings } = this.made
    return [...warnings, ...this.folded.warnings, ...(ignoreBlock === undefined ? [] : [ignoreBlock])]
  }
  get hooks(): readonly HookReport[] {
    const { hooks } = this.made
    this.reports ??= typeof hooks === 'function' ? hooks() : hooks
    return this.reports
  }
  get toModel(): string {
    return modelText(this.row, this.folded, this.labels())
  }
  get toUser(): string {
    return userText(this.row, this.folded)
  }

  protected labels(): (by: string) => string {
    const labels = new Map(this.hooks.map((hook) => [hook.id, hook.label]))
    return (by) => labels.get(by) ?? by
  }

  /** The class of the row: what `and` and `withoutBlock` build. */
  get kind(): typeof FoldedVerdict {
    return this.constructor as typeof FoldedVerdict
  }

  /** A new verdict with one more answer folded in, as the last in configuration order. */
  and(answer: object, by = 'middleware'): FoldedVerdict {
    const { ignoreBlock: _, ...made } = this.made
    const said = readAnswer(answer, { row: this.row, id: by })
    return new this.kind({ ...made, parts: [...made.parts, { by, said }], hooks: this.hooks })
  }

  /** The same verdict, its block not obeyed, with the reason why among the warnings. */
  withoutBlock(why: Diagnostic): FoldedVerdict {
    return new this.kind({ ...this.made, hooks: this.hooks, ignoreBlock: why })
  }

  /** The document of contract §8. */
  toJSON(): object {
    const { row } = this
    const own = this as unknown as Record<string, unknown>
    const optional = [
      'reason',
      'stop',
      'updatedInput',
      'updatedOutput',
      'updatedPermissions',
      'interrupt',
      'retry',
      'elicitation',
      'displayContent',
      'worktreePath',
      'watchPaths',
      'sessionTitle',
      'initialUserMessage',
      'reloadSkills',
      'suppressOriginalPrompt',
      'terminalSequence',
    ]
    const document: Record<string, unknown> = {
      version: 1,
      kind: 'verdict',
      event: row.name,
      callId: this.callId,
      sessionId: this.sessionId,
      ms: Math.round(this.ms * 10) / 10,
    }
    if ('permission' in own) document['permission'] = own['permission']
    document['blocked'] = this.blocked
    if ('blocks' in own) document['blocks'] = own['blocks']
    document['toModel'] = this.toModel
    document['toUser'] = this.toUser
    if ('context' in own) document['context'] = own['context']
    document['messages'] = this.messages
    document['conflicts'] = this.conflicts
    document['warnings'] = this.warnings
    for (const key of optional) if (key in own) document[key] = own[key]
    if (this.folded.classifierContext.length > 0) document['classifierContext'] = this.folded.classifierContext
    document['hooks'] = this.hooks
    return document
  }
}
