/** What the event table means to the type checker: inputs, answers and verdicts of each event, and of events that hosts define. */
import type { Diagnostic } from './diagnostic.ts'
import type { rows } from './events.ts'
import type { InputOfFields } from './fields.ts'
import type { HookReport } from './hook.ts'
import type { PermissionMode } from './permission.ts'
import type { Power, Powers } from './powers.ts'
import type { ToolInputs } from './tools.ts'
import type { Conflict, Message, Stopped } from './verdict-parts.ts'

/** One event as types: its own input fields and its powers. */
export interface Row<Input, P extends Power = never> {
  input: Input
  powers: P
}
type FromTable = { [E in keyof typeof rows]: Row<InputOfFields<(typeof rows)[E]['input']>, (typeof rows)[E]['powers'][number]> }
/** All events of the table. Hosts pass an `EventDef` instead of adding to it. */
export interface Events extends FromTable {}

export type EventName = keyof Events
/** An event that a host defined with `defineEvent`, or a row of the table. */
// biome-ignore lint/suspicious/noExplicitAny: an event definition stands for any input
export interface EventDef<N extends string = string, I = any, P extends Power = Power> {
  readonly name: N
  readonly '~row'?: Row<I, P>
}
export type EventRef = EventName | EventDef
export type InputOf<E extends EventRef> = E extends keyof Events
  ? Events[E] extends Row<infer I, Power>
    ? I
    : never
  : E extends EventDef<string, infer I, Power>
    ? I
    : never
export type PowersOf<E extends EventRef> = E extends keyof Events
  ? Events[E] extends Row<unknown, infer P>
    ? P
    : never
  : E extends EventDef<string, unknown, infer P>
    ? P
    : never
type Both<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void ? I : never
// biome-ignore lint/complexity/noBannedTypes: no powers, no words
type Says<P extends Power> = [P] extends [never] ? {} : Both<Powers[P]['says']>
// biome-ignore lint/complexity/noBannedTypes: no powers, no words
type Holds<P extends Power> = [P] extends [never] ? {} : Both<Powers[P]['holds']>

/** The fields that every event has (protocol §1.2). */
export interface BaseInput {
  session_id: string
  transcript_path: string
  cwd: string
  hook_event_name: string
  prompt_id?: string
  permission_mode?: PermissionMode
  agent_id?: string
  agent_type?: string
  effort?: { level: string }
}

type Narrow<I, M> = M extends keyof ToolInputs
  ? I extends { tool_input: unknown }
    ? Omit<I, 'tool_name' | 'tool_input'> & { tool_name: M; tool_input: ToolInputs[M] }
    : I
  : I
/** What a hook receives. `matcher: 'Bash'` narrows `tool_input`. */
export type HookInput<E extends EventRef, M = unknown> = BaseInput & Narrow<InputOf<E>, M>
/** What a host gives: the event's own fields. The scope fills the common ones, and `stop_hook_active`. */
export type FireInput<E extends EventRef> = Omit<InputOf<E>, keyof BaseInput | 'stop_hook_active'> & Partial<BaseInput> & { stop_hook_active?: boolean }
type AnyKey = { [P in Power]: keyof Powers[P]['says'] }[Power]
/** What a hook may answer to an event, in the words of the event's powers. */
export type Answer<E extends EventRef> = Says<PowersOf<E> & Power> & { message?: string; terminalSequence?: string } & {
  [K in Exclude<AnyKey, keyof Says<PowersOf<E> & Power>>]?: never
}
/** The fold of all answers to one event (contract §1 says how to obey it). */
export type Verdict<E extends EventRef = EventName> = E extends EventRef ? VerdictBase<E> & Readonly<Holds<PowersOf<E> & Power>> : never

/** What every verdict has, whatever the event. `ms` is wall time in milliseconds. */
export interface VerdictBase<E extends EventRef> {
  readonly event: string
  readonly callId: string
  readonly sessionId: string
  /** From the start of the first hook to the end of the last, in milliseconds; 0 where hooks in code were too quick to be timed. */
  readonly ms: number
  readonly blocked: boolean
  readonly stop?: Stopped
  /** The event's input as finally rewritten, by hooks or middleware. */
  readonly input: HookInput<E>
  readonly toModel: string
  readonly toUser: string
  readonly messages: readonly Message[]
  readonly terminalSequence?: string
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly Diagnostic[]
  readonly hooks: readonly HookReport[]
  /** A new verdict with one more answer folded in; the way middleware adds to a verdict. */
  and(answer: Answer<E>, by?: string): Verdict<E>
  /** Exactly the document of contract §8. */
  toJSON(): object
}
