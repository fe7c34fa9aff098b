/** How code answers an event: callbacks, what they see, the wire form they may return, middleware. */
import type { Answer, EventRef, HookInput, Verdict } from './event-types.ts'
import type { HookReport } from './hook.ts'

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>
/** A value, or a function that makes it when it is needed. */
export type Lazy<T> = T | (() => T)
/** Takes back what was attached; harmless to call twice; works with `using`. */
export type Undo = (() => void) & { [Symbol.dispose](): void }

/** Host objects that callbacks may see and processes never do; open to declaration merging. */
export interface Locals {
  /** The conversation, for function and prompt hooks. */
  messages?: () => readonly unknown[]
}

export interface FireOptions {
  signal?: AbortSignal
  locals?: Locals
}

/** What a callback knows beside its input. `signal` fires at the hook's deadline or when the host aborts. */
export interface HookContext {
  signal: AbortSignal
  toolUseId?: string
  callId: string
  sessionId: string
  locals: Locals
}

/** A hook in code. Returning nothing is no opinion. */
export type Callback<E extends EventRef, M = unknown> = (
  input: HookInput<E, M>,
  context: HookContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a callback without return is the common case
) => Awaitable<Answer<E> | WireAnswer | void>

/** Options of one hook in code. `timeout` is in seconds. */
export interface HookOptions<M extends string = string> {
  matcher?: M
  if?: string
  timeout?: number
  once?: boolean
  onFailure?: 'continue' | 'block'
  async?: boolean
  name?: string
  onSuccess?: (report: HookReport) => void
}

/** One call as middleware sees it. */
export interface Call<E extends EventRef> {
  readonly event: string
  readonly input: HookInput<E>
  readonly sessionId: string
  readonly signal: AbortSignal
  readonly locals: Locals
  /** A rewritten call, for `next(call)`. */
  with(input: Partial<HookInput<E>>): Call<E>
  /** A verdict without calling `next`. */
  answer(answer: Answer<E>): Verdict<E>
}

/** Wraps the corridor: observe, rewrite the input, answer without `next`, or add to the verdict (design decision 15). */
export type Middleware<E extends EventRef> = (call: Call<E>, next: (call: Call<E>) => Promise<Verdict<E>>) => Awaitable<Verdict<E>>

/** The wire object of protocol §3; a callback may return it, so that an Agent SDK callback moves over unchanged. */
export interface WireAnswer {
  continue?: boolean
  stopReason?: string
  suppressOutput?: boolean
  systemMessage?: string
  terminalSequence?: string
  decision?: 'block' | 'approve'
  reason?: string
  hookSpecificOutput?: { hookEventName: string; [k: string]: unknown }
  async?: true
  asyncTimeout?: number
  permission?: never
  block?: never
  stop?: never
  context?: never
}
