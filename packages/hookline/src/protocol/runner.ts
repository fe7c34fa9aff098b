/** What a handler is to the engine: one function that runs a hook for a call and says how it ended. */
import type { Awaitable, Locals } from './answering.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Ending } from './ending.ts'
import type { NamedRow } from './events.ts'
import type { HandlerSpec } from './handler-spec.ts'
import type { HookInfo } from './hook.ts'
import type { PendingResult } from './pending-result.ts'
import type { Sandbox } from './sandbox.ts'

/** What a handler hands back: how it ended and, unread, what was said. Reading it is the engine's work. */
export interface RawResult {
  readonly ending: Ending
  /** Text that speaks the protocol: a process's stdout, a body, a model's reply. At most 1 MiB is kept. */
  readonly stdout?: string
  readonly stderr?: string
  /** A value that was returned in process, instead of text. */
  readonly value?: unknown
  /** The kept text was cut at its cap. */
  readonly cut?: 'stdout' | 'stderr' | 'body'
  /** The bytes were not valid UTF-8 and were replaced. */
  readonly notUtf8?: true
  /** The hook could not be asked: the input cannot be written as JSON, or matching failed. Blocks where a permission is at stake (design decision 6). */
  readonly unasked?: true
  /** Findings of the handler that the verdict should show: the hook ran in another folder, for example. */
  readonly warnings?: readonly Diagnostic[]
  /** Finished background jobs of this run say so themselves; see the RUNNING port. */
  readonly jobId?: string
}

/** The hook that a handler runs: the listed record, the handler as written, and what its source adds. */
export interface RunnableHook {
  readonly info: HookInfo
  /** The handler as written; absent for hooks in code. */
  readonly spec?: HandlerSpec
  /** The function of a hook in code. */
  readonly callback?: (input: never, context: never) => unknown
  /** The function has no parameters and cannot know of its arguments: nothing need be made for it. */
  readonly takesNothing?: true
  /** Placeholders and variables of the source: CLAUDE_PLUGIN_ROOT and friends, by name. */
  readonly variables?: Readonly<Record<string, string>>
  /** The settings' own `env` blocks, merged for this source and filtered (design decision 20). */
  readonly env?: Readonly<Record<string, string>>
  /** The fence its process must have. */
  readonly sandbox?: Sandbox
}

/** One call, as a handler sees it. Everything costly is made when it is first read. */
export interface RunContext {
  readonly row: NamedRow
  readonly callId: string
  readonly sessionId: string
  readonly input: Readonly<Record<string, unknown>>
  /** The input as JSON in UTF-8 bytes; serialised once per event, however many hooks read it. */
  readonly payload: Uint8Array
  /** Fires when the host aborts or the scope closes. Deadlines are the handler's to keep, through `timeoutMs`. */
  readonly signal: AbortSignal
  /**
   * Calls `act` when `signal` would fire, at once if it has; what comes back takes it back. Reading `signal` makes one, and listening this
   * way does not. `act` must not throw. Absent: listen to `signal`.
   */
  whenAborted?(act: () => void): () => void
  readonly timeoutMs: number
  readonly locals: Locals
  /** Where the session began; does not follow `cwd`. */
  readonly projectDir: string
  /** Where the event stands now. */
  readonly cwd: string
  readonly envFile?: string | undefined
  /**
   * Hands a run that wants to go on in the background over to the host: `later` is its result, `cancel` ends it.
   * What comes back is the result of this call. Absent where nothing can run in the background.
   */
  defer?(later: Promise<RawResult>, cancel: () => void): RawResult
  /** Live output of a command that runs longer than 1 s. */
  output?(stream: 'stdout' | 'stderr', text: string): void
}

/** A call of which nothing has been made yet. */
export interface ClosedCall {
  /** Opens the call for one hook. */
  contextFor(hook: RunnableHook): RunContext
}

/** A way of answering, registered under its handler type. It never throws and never rejects: failing is data. */
export interface HandlerRunner {
  readonly type: string
  /** Ways of running, beside waiting for the answer, that this handler has. */
  readonly supports?: readonly 'persistent'[]
  /** The handler reads `payload`: an input that cannot be serialised is found before anything starts. */
  readonly readsPayload?: true
  /** Why this machine cannot build a fence that a hook must have, and what to do; `undefined` when it can. Absent: it never can. */
  sandboxFault?(sandbox: Sandbox): string | undefined
  run(hook: RunnableHook, context: RunContext): Awaitable<RawResult>
  /** The same for a hook in code, opening the call only if the hook has to see it; `undefined`: it returned nothing. */
  ask?(hook: RunnableHook, call: ClosedCall): RawResult | PendingResult | undefined
  /** Ends what is left and frees what is held. */
  close?(): Awaitable<void>
}
