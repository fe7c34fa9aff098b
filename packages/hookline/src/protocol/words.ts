/** A hook's answer after it was read and checked, and what reading it amounted to: what the fold consumes. */
import type { Diagnostic } from './diagnostic.ts'
import type { Ending, Outcome } from './ending.ts'
import type { PermissionUpdate } from './permission.ts'
import type { Behavior, Elicited, Message } from './verdict-parts.ts'

/** All words an answer can hold, whatever the event; only those that the event's powers allow are ever set. */
export interface Words {
  permission?: Exclude<Behavior, 'passthrough'>
  /** Of the permission. */
  reason?: string
  /** Reason of a block; empty when none was given. */
  block?: string
  /** Reason of a stop; empty when none was given. */
  stop?: string
  context?: string
  updatedInput?: Record<string, unknown>
  updatedOutput?: unknown
  updatedPermissions?: readonly PermissionUpdate[]
  interrupt?: true
  retry?: true
  reloadSkills?: true
  suppressOriginalPrompt?: true
  displayContent?: string
  worktreePath?: string
  sessionTitle?: string
  initialUserMessage?: string
  watchPaths?: readonly string[]
  elicitation?: Elicited
  classifierContext?: string
  message?: string
  terminalSequence?: string
}

/** One hook's run, read: its outcome, its words, and what people should hear about it. */
export interface Interpreted {
  readonly outcome: Outcome
  readonly words: Words
  /** Set when the hook failed: what happened, in one sentence without the hook's name. */
  readonly failure?: string
  /** The failure counted as a block because the hook, its row or policy says so. */
  readonly failedClosed?: true
  /** The model's verdict, when the text of the run held one: how the run ended, for whoever reads reports. */
  readonly judged?: Extract<Ending, { kind: 'judged' }>
  /** Lines for the person or the model about this run, the failure notice among them. */
  readonly messages: readonly Message[]
  /** Findings about what was said: unknown keys, lost answers, duplicate keys, codes that do not block. */
  readonly warnings: readonly Diagnostic[]
}
