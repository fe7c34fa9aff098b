/** The interfaces of a Hookline as hosts see them: the verbs that engine, session and agent scopes share (contract §4). */
import type { Awaitable, Callback, FireOptions, HookContext, HookOptions, Lazy, Middleware, Undo } from '../protocol/answering.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { BaseInput, EventDef, EventName, EventRef, FireInput, HookInput, Verdict } from '../protocol/event-types.ts'
import type { Hooks } from '../protocol/handler-spec.ts'
import type { Explanation, HookInfo } from '../protocol/hook.ts'
import type { Permissions, Permit, ToolCall, ToolRun } from '../protocol/permission.ts'
import type { Trust } from '../protocol/ports.ts'
import type { Power } from '../protocol/powers.ts'
import type { Job, Late, Reload, Trace } from '../protocol/trace.ts'

/** The verbs of every scope. What is attached to a scope is seen there and in the scopes below it, and goes with it. */
export interface Scope {
  readonly sessionId: string
  /** Whether any hook or middleware is attached for the event in this scope, before matchers. */
  has(event: EventRef): boolean
  /**
   * Runs the hooks of an event and folds their answers. `input` may be a function, which is called only when a hook runs.
   * @throws HooklineError `unknown-event`, `invalid-input`, `closed`; rejects with `signal.reason` when the host aborts.
   */
  fire<E extends EventRef>(event: E, input: Lazy<FireInput<E>>, options?: FireOptions): Promise<Verdict<E>>
  /** `fire` that hands back the verdict itself when nothing was asynchronous, else the promise `fire` would have given. */
  fireNow<E extends EventRef>(event: E, input: Lazy<FireInput<E>>, options?: FireOptions): Verdict<E> | Promise<Verdict<E>>
  on<E extends EventName>(event: E, callback: { [K in EventName]: Callback<K> }[E]): Undo
  on<E extends EventName, const M extends string>(event: E, options: HookOptions<M>, callback: { [K in EventName]: Callback<K, M> }[E]): Undo
  on<N extends string, I, P extends Power>(event: EventDef<N, I, P>, callback: Callback<EventDef<N, I, P>>): Undo
  on<N extends string, I, P extends Power>(event: EventDef<N, I, P>, options: HookOptions, callback: Callback<EventDef<N, I, P>>): Undo
  on(hooks: Hooks): Undo
  /** Wraps the corridor; the first registered is outermost. */
  use<E extends EventRef>(event: E | '*', middleware: Middleware<E>, options?: { name?: string }): Undo
  /** Says what would run and why the rest would not. Starts nothing, spends no `once`. */
  explain<E extends EventRef>(event: E, input: Lazy<FireInput<E>>): Explanation
  /** Decides whether a tool call runs: hooks, rules, mode, a person (contract §5). */
  permit(call: ToolCall, options?: FireOptions & Partial<Permissions>): Promise<Permit>
  /** `permit`, then the tool with the rewritten input, then the event of its success or failure. */
  runTool<O>(
    call: ToolCall | Permit,
    // biome-ignore lint/suspicious/noExplicitAny: the tool knows the type of its input, the engine does not
    execute: (input: any, context: { signal: AbortSignal }) => Awaitable<O>,
    options?: FireOptions & Partial<Permissions>,
  ): Promise<ToolRun<O>>
  /** Background answers that are ready since the last drain, each exactly once. */
  drain(): Late[]
  /** What still runs in the background. */
  readonly background: readonly Job[]
  /** All files to watch now: FileChanged matchers and hooks' lists, merged. */
  readonly watchPaths: readonly string[]
  /** Source it before each shell command (CLAUDE_ENV_FILE). */
  readonly envFile: string | null
  /** Its hooks go, its jobs are killed; fires nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** One conversation. */
export interface Session extends Scope {
  /** A subagent: the same verbs, with `agent_id` and `agent_type` filled in; `live` gives its own changing fields. */
  agent(id: string, type: string, live?: (event: string) => Partial<BaseInput>): Scope
  /** `on` with a yes/no check: false gives `errorMessage` as a block. */
  addFunctionHook<E extends EventRef>(
    event: E,
    options: HookOptions & { id?: string; errorMessage: string },
    check: (input: HookInput<E>, context: HookContext) => Awaitable<boolean>,
  ): Undo & { id: string }
  removeFunctionHook(id: string): boolean
}

/** One settings folder, and the scope of its own session. */
export interface Hookline extends Session {
  /** Same id, same session. A function gives the common fields that change, such as `cwd`; it is asked with the name of the event whenever hooks run. */
  session(id: string, base?: Partial<BaseInput> | ((event: string) => Partial<BaseInput>)): Session
  /** The hooks there are, as listings show them. */
  list(filter?: { event?: EventRef }): readonly HookInfo[]
  /** Loads the settings anew and swaps them whole; calls in flight finish on the old ones. */
  reload(): Promise<Reload>
  readonly diagnostics: readonly Diagnostic[]
  readonly trace: Trace
  readonly trust: Trust
}
