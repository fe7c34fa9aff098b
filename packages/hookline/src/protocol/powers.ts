/** The powers: what an event lets a hook do, said the same way by an answer and by a verdict. */
import type { PermissionUpdate } from './permission.ts'
import type { Behavior, Block, Elicited, Permission, Text } from './verdict-parts.ts'

/** `says` is how a hook's answer spells a power, `holds` how the verdict keeps it. */
interface Said<S, H> {
  says: S
  holds: H
}
type Same<K extends string, T> = Said<{ [k in K]?: T }, { [k in K]?: T }>

interface Permits<B extends Behavior>
  extends Said<
    { permission?: Exclude<B, 'passthrough'>; reason?: string; block?: string },
    { permission: Permission<B | 'passthrough'>; blocks: readonly Block[]; reason?: string }
  > {}

/** Every power, with the words of its answer and of its verdict (contract §3). */
export interface Powers {
  permission: Permits<Behavior>
  grant: Permits<'allow' | 'deny'>
  confirm: Permits<'allow' | 'deny' | 'ask'>
  veto: Permits<'deny'>
  block: Said<{ block?: string }, { blocks: readonly Block[]; reason?: string }>
  // `stop` is readable on every verdict, so it adds nothing here.
  // biome-ignore lint/complexity/noBannedTypes: the empty object type is the identity of the intersection
  stop: Said<{ stop?: string }, {}>
  context: Said<{ context?: string }, { context: readonly Text[] }>
  updatedInput: Same<'updatedInput', Record<string, unknown>>
  updatedOutput: Same<'updatedOutput', unknown>
  updatedPermissions: Same<'updatedPermissions', readonly PermissionUpdate[]>
  interrupt: Same<'interrupt', true>
  retry: Same<'retry', true>
  reloadSkills: Same<'reloadSkills', true>
  suppressOriginalPrompt: Same<'suppressOriginalPrompt', true>
  displayContent: Same<'displayContent', string>
  worktreePath: Same<'worktreePath', string>
  sessionTitle: Same<'sessionTitle', string>
  initialUserMessage: Same<'initialUserMessage', string>
  watchPaths: Same<'watchPaths', readonly string[]>
  elicitation: Same<'elicitation', Elicited>
  classifierContext: Said<{ classifierContext?: string }, { classifierContext: readonly Text[] }>
}

/** The name of a power. */
export type Power = keyof Powers

/** How one key of an answer is folded over all hooks, in configuration order. */
export type Merge = 'permission' | 'block' | 'stop' | 'context' | 'last' | 'concat' | 'any' | 'union' | 'elicitation' | 'classifier'

/** The type an answer's key must have, as a word that a checker and a message can use. */
export type Shape = 'text' | 'object' | 'anything' | 'true' | 'texts' | 'updates' | 'elicitation' | 'behavior'

/** How one key of an answer is spelled on the wire, checked and folded. */
export interface AnswerKey {
  /** The power that brings this key; `every` for the two that every event has. */
  readonly power: Power | 'every'
  readonly shape: Shape
  readonly merge: Merge
  /** The field inside `hookSpecificOutput`; absent where the wire spells it another way (see `wire.ts`). */
  readonly wire?: string
  /** A permissive answer: it counts only from exit code 0 (design decision 4). */
  readonly permissive?: true
}

/** Every key an answer may have beside `permission`, `reason`, `block`, `stop`, `message`, `terminalSequence`. */
export const answerKeys = {
  context: { power: 'context', shape: 'text', merge: 'context', wire: 'additionalContext' },
  updatedInput: { power: 'updatedInput', shape: 'object', merge: 'last', wire: 'updatedInput', permissive: true },
  updatedOutput: { power: 'updatedOutput', shape: 'anything', merge: 'last', wire: 'updatedToolOutput', permissive: true },
  updatedPermissions: { power: 'updatedPermissions', shape: 'updates', merge: 'concat', permissive: true },
  interrupt: { power: 'interrupt', shape: 'true', merge: 'any' },
  retry: { power: 'retry', shape: 'true', merge: 'any', wire: 'retry', permissive: true },
  reloadSkills: { power: 'reloadSkills', shape: 'true', merge: 'any', wire: 'reloadSkills' },
  suppressOriginalPrompt: { power: 'suppressOriginalPrompt', shape: 'true', merge: 'any', wire: 'suppressOriginalPrompt' },
  displayContent: { power: 'displayContent', shape: 'text', merge: 'last', wire: 'displayContent' },
  worktreePath: { power: 'worktreePath', shape: 'text', merge: 'last', wire: 'worktreePath', permissive: true },
  sessionTitle: { power: 'sessionTitle', shape: 'text', merge: 'last', wire: 'sessionTitle' },
  initialUserMessage: { power: 'initialUserMessage', shape: 'text', merge: 'last', wire: 'initialUserMessage' },
  watchPaths: { power: 'watchPaths', shape: 'texts', merge: 'union', wire: 'watchPaths' },
  elicitation: { power: 'elicitation', shape: 'elicitation', merge: 'elicitation' },
  classifierContext: { power: 'classifierContext', shape: 'text', merge: 'classifier', wire: 'classifierContext' },
} as const satisfies Record<string, AnswerKey>

/** The name of a key of `answerKeys`. */
export type PowerKey = keyof typeof answerKeys

/** Which behaviors each permission-like power lets a hook say. */
export const behaviorsOf: { readonly [P in 'permission' | 'grant' | 'confirm' | 'veto']: readonly Exclude<Behavior, 'passthrough'>[] } = {
  permission: ['allow', 'deny', 'ask', 'defer'],
  grant: ['allow', 'deny'],
  confirm: ['allow', 'deny', 'ask'],
  veto: ['deny'],
}
