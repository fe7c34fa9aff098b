/** The door for people who write hooks: one definition that runs as a command, a persistent command, a module or in process. */
import type { Callback, HookContext, HookOptions } from './protocol/answering.ts'
import type { EventDef, EventName, EventRef } from './protocol/event-types.ts'
import type { NamedRow } from './protocol/events.ts'
import { baseName, callerOf, isScript, placeOf } from './protocol/hook-file.ts'
import { isTyped, readInput, readLines, writeOut } from './protocol/hook-pipes.ts'
import type { Power } from './protocol/powers.ts'
import { wireKeys } from './protocol/wire-keys.ts'

export type { Answer, HookInput } from './protocol/event-types.ts'
export { allow, ask, block, context, defer, deny, stop } from './protocol/shorthands.ts'
export type { Callback, HookContext, HookOptions }

/** A hook as `defineHook` gives it: the three parameters of `on`. */
export interface DefinedHook<E extends EventRef = EventRef, C = unknown, M extends string = string> {
  readonly event: E
  readonly options: HookOptions<M>
  readonly callback: C
}

type Named<E extends EventName, M = unknown> = { [K in EventName]: Callback<K, M> }[E]
type Own<N extends string, I, P extends Power> = EventDef<N, I, P>

/**
 * Defines a hook. Run as a script, its file reads one event as JSON from stdin, prints the answer and sets the exit code; with
 * HOOKLINE_PERSISTENT=1 in the environment it reads an event a line and answers with a line each. Imported, it does nothing: the
 * object goes to `scope.on(hook.event, hook.options, hook.callback)`, or is exported for a `module` hook. In the file that Node was
 * started with it always is a script, whose other output goes to stderr; a program that attaches hooks keeps them in files of their own.
 *
 * A script or a module runs when the settings say so: `matcher`, `if`, `timeout`, `once` and `async` count in process only.
 * A callback that throws ends the script with its message on stderr and code 1, or 2 under `onFailure: 'block'`; in a module it is a
 * failure of the hook, or a block.
 * @throws TypeError when the callback is no function.
 */
export function defineHook<E extends EventName>(event: E, callback: Named<E>): DefinedHook<E, Named<E>>
export function defineHook<E extends EventName, const M extends string>(
  event: E,
  options: HookOptions<M>,
  callback: Named<E, M>,
): DefinedHook<E, Named<E, M>, M>
export function defineHook<N extends string, I, P extends Power>(
  event: Own<N, I, P>,
  callback: Callback<Own<N, I, P>>,
): DefinedHook<Own<N, I, P>, Callback<Own<N, I, P>>>
export function defineHook<N extends string, I, P extends Power>(
  event: Own<N, I, P>,
  options: HookOptions,
  callback: Callback<Own<N, I, P>>,
): DefinedHook<Own<N, I, P>, Callback<Own<N, I, P>>>
export function defineHook(event: EventRef, second: unknown, third?: unknown): DefinedHook {
  const [options, callback] = third === undefined ? [{}, second] : [second as HookOptions, third]
  if (typeof callback !== 'function')
    throw new TypeError(`defineHook: the hook must be a function, not ${typeof callback}. Write defineHook('PreToolUse', (input) => …).`)
  const hook = Object.freeze({ event, options, callback }) as ScriptHook
  const file = callerOf(defineHook)
  if (file !== undefined && isScript(file)) {
    script ??= new Script(file)
    script.hooks.push(hook)
  }
  return hook
}

type ScriptHook = DefinedHook<EventRef, (input: never, context: HookContext) => unknown>
let script: Script | undefined

/** The file that Node was started with: it answers on stdout, one event or one event a line. */
class Script {
  readonly hooks: ScriptHook[] = []
  readonly #name: string
  #busy = true

  constructor(file: string) {
    this.#name = baseName(file)
    keepOutput()
    process.once('uncaughtException', (error) => this.#fail(error))
    // A promise that never settles leaves Node with nothing to do, and silence would pass for consent.
    process.once('beforeExit', () => this.#busy && this.#fail(new Mistake('ended without an answer: the promise of its callback never settled')))
    // Definitions that follow in the same file come first.
    setImmediate(() => this.#run().catch((error: unknown) => this.#fail(error)))
  }

  async #run(): Promise<void> {
    if (isTyped())
      throw new Mistake(`is a hook: it reads an event as JSON from stdin. Try: hookline fire ${nameOf(this.hooks[0] as ScriptHook)} --settings FILE`)
    if (process.env['HOOKLINE_PERSISTENT'] === '1') {
      for await (const line of readLines()) {
        const { wire = {}, refusal, id } = await this.#answer(line)
        if (refusal !== undefined && !('decision' in wire)) throw new Refusal(refusal)
        // First, where the host looks for it first.
        writeOut(1, `${JSON.stringify(id === undefined ? wire : { hookline_id: id, ...wire })}\n`)
      }
      // The host is gone, whatever this hook still holds open.
      process.exit(0)
    }
    const { wire, refusal } = await this.#answer(await readInput())
    this.#busy = false
    if (wire !== undefined && Object.keys(wire).length > 0) writeOut(1, `${JSON.stringify(wire)}\n`)
    if (refusal === undefined) return
    writeOut(2, `${refusal}\n`)
    process.exitCode = 2
  }

  /** `id` is that of a request that came as a line, and is no part of the event. */
  async #answer(text: string): Promise<{ wire?: object; refusal?: string; id?: unknown }> {
    const { hookline_id: id, ...input } = inputOf(text)
    const said = await this.#say(input)
    return id === undefined ? said : { ...said, id }
  }

  async #say(input: Readonly<Record<string, unknown>>): Promise<{ wire?: object; refusal?: string }> {
    const hook = this.#hookFor(String(input['hook_event_name']))
    const said = await hook.callback(input as never, new ScriptContext(input))
    if (said === undefined || said === null) return {}
    if (typeof said !== 'object' || Array.isArray(said))
      throw new Mistake(
        `answered with a ${Array.isArray(said) ? 'list' : typeof said}: return an object such as { permission: 'deny', reason: '…' }, or nothing`,
      )
    if (Object.keys(said).some((key) => wireKeys.has(key))) return { wire: said }
    // Most answers are silence, so the table is loaded only for one that says something.
    const [{ writeAnswer }, { rowOf }] = await Promise.all([import('./protocol/wire-answer.ts'), import('./protocol/events.ts')])
    const row = typeof hook.event === 'string' ? rowOf(hook.event) : (hook.event as unknown as NamedRow)
    if (row === undefined) throw new Mistake(`is defined for ${hook.event}, which is no event`)
    return writeAnswer(said, row)
  }

  #hookFor(event: string): ScriptHook {
    const fitting = this.hooks.filter((hook) => nameOf(hook) === event)
    if (fitting.length > 1) throw new Mistake(`defines ${fitting.length} hooks for ${event}, but a script gives one answer: keep one, or attach them in code`)
    if (fitting[0] === undefined)
      throw new Mistake(`answers ${this.hooks.map(nameOf).join(', ')}, but was run for ${event}: correct the event in the settings file`)
    return fitting[0]
  }

  #fail(error: unknown): void {
    this.#busy = false
    const closed = error instanceof Refusal || this.hooks.some((hook) => hook.options.onFailure === 'block')
    const text =
      error instanceof Refusal
        ? error.message
        : error instanceof Mistake
          ? `${this.#name} ${error.message}.`
          : `${this.#name} failed${placeOf(error)}: ${error instanceof Error ? error.message || error.name : String(error)}`
    writeOut(2, `${text}\n`)
    process.exit(closed ? 2 : 1)
  }
}

/** What the author of the hook or of the settings got wrong. The message follows the name of the file. */
class Mistake extends Error {}
/** A block that no printed line can say. */
class Refusal extends Error {}

/** What a callback knows beside its input when it runs as a script. */
class ScriptContext implements HookContext {
  readonly toolUseId?: string
  readonly callId = crypto.randomUUID()
  readonly sessionId: string
  readonly locals = {}
  #abort: AbortController | undefined

  constructor(input: Readonly<Record<string, unknown>>) {
    this.sessionId = String(input['session_id'] ?? '')
    if (typeof input['tool_use_id'] === 'string') this.toolUseId = input['tool_use_id']
  }

  /** Fires when the host ends the hook. Only then does the hook outlive the request to go, until it is killed. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      this.#abort = abort
      process.once('SIGTERM', () => abort.abort(new DOMException('The host ended this hook.', 'AbortError')))
    }
    return this.#abort.signal
  }
}

/** Whatever else is printed goes to standard error: beside it an answer on standard output would not be one (protocol §3.1). */
function keepOutput(): void {
  const get = () => process.stderr
  Object.defineProperty(process, 'stdout', { get, configurable: true, enumerable: true })
  // The console keeps the stream it printed to first.
  Object.defineProperty(console, '_stdout', { get, configurable: true })
}

function inputOf(text: string): Readonly<Record<string, unknown>> {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    throw new Mistake(text.trim() === '' ? 'got no event on stdin' : 'got an event on stdin that is not JSON')
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input) || !('hook_event_name' in input))
    throw new Mistake('got JSON on stdin that is no event: it has no hook_event_name')
  return input as Record<string, unknown>
}

function nameOf({ event }: ScriptHook): string {
  return typeof event === 'string' ? event : event.name
}
