/** What runs inside the worker of a module: loads the file once, answers event after event, and hands over what the module prints. */

/** What the worker is started with. */
export interface WorkerStart {
  /** The module. */
  readonly url: string
  /** What to call it in messages. */
  readonly name: string
  /** Kept bytes of an answer, and of what is printed during one event. */
  readonly limit: number
}

/** One event for the worker. */
export interface WorkerAsk {
  readonly id: number
  readonly event: string
  /** The event as UTF-8 JSON; absent where it came before, in parts. */
  readonly payload?: Uint8Array
  readonly callId: string
  readonly sessionId: string
}

/** A part of an event that is too large to be handed over at once; the event itself follows. */
export interface WorkerPart {
  readonly id: number
  readonly part: Uint8Array
}

/** What the worker says, each time about one event. An `id` of 0 is about none. */
export type WorkerSays =
  | { readonly id: number; readonly kind: 'silent' | 'overflowed' }
  /** The answer, serialised as for a structured clone. */
  | { readonly id: number; readonly kind: 'answered'; readonly bytes: Uint8Array }
  /** `closed`: the hook wants its failures to block. */
  | { readonly id: number; readonly kind: 'threw'; readonly error: string; readonly at: string; readonly closed: boolean }
  | { readonly id: number; readonly kind: 'unusable' | 'unloadable'; readonly why: string }
  | { readonly id: number; readonly kind: 'wrote'; readonly text: string }

/**
 * The program of the worker. A text and no file of its own, so that it runs unchanged from the sources, from the built package,
 * from the bundled command line, and from any bundle that an embedding program makes of this one.
 */
export const workerProgram = String.raw`'use strict'
const { AsyncLocalStorage } = require('node:async_hooks')
const { serialize } = require('node:v8')
const { parentPort, workerData } = require('node:worker_threads')
const { url, name, limit } = workerData

const say = parentPort.postMessage.bind(parentPort)
const calls = new AsyncLocalStorage()
const outside = { id: 0, room: limit }

// Printed text belongs to the event it was printed for, and leaves at once: a module that hangs is ended with what it said.
function write(chunk, encoding, done) {
  const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
  const call = calls.getStore() ?? outside
  if (call.room >= 0) {
    call.room -= text.length
    say({ id: call.id, kind: 'wrote', text: text.slice(0, limit + 1) })
  }
  const then = typeof encoding === 'function' ? encoding : done
  if (typeof then === 'function') process.nextTick(then)
  return true
}
process.stdout.write = write
process.stderr.write = write
// By itself Node prints warnings straight to the terminal of the host.
process.removeAllListeners('warning')
process.on('warning', (warning) => write(String(warning.name) + ': ' + String(warning.message) + '\n'))

const isHook = (value) =>
  typeof value === 'object' && value !== null && typeof value.callback === 'function' && (typeof value.event === 'string' || typeof value.event?.name === 'string')
const eventOf = (hook) => (typeof hook.event === 'string' ? hook.event : hook.event.name)

const loading = import(url).then(
  (exported) => {
    const hooks = [...new Set(Object.values(exported).filter(isHook))]
    return { hooks, plain: [exported.hook, exported.default].find((value) => typeof value === 'function') }
  },
  (error) => ({ fault: 'the module ' + JSON.stringify(name) + ' could not be loaded: ' + (error instanceof SyntaxError ? 'SyntaxError: ' : '') + messageOf(error) + (placeOf(error) || checkOf(error)) }),
)

function hookFor(event, { hooks, plain }) {
  const fitting = hooks.filter((hook) => eventOf(hook) === event)
  if (fitting.length === 1) return fitting[0]
  if (fitting.length > 1) throw name + ' exports ' + fitting.length + ' hooks for ' + event + ', but a module gives one answer: keep one'
  if (plain !== undefined) return { callback: plain, options: {} }
  if (hooks.length > 0) throw name + ' answers ' + [...new Set(hooks.map(eventOf))].join(', ') + ', but was run for ' + event + ': correct the event in the settings file'
  throw name + ' exports no hook: export what defineHook gives, or a function as "hook" or default'
}

// A large event comes in parts.
const parts = new Map()

function hear(said) {
  if (said.part === undefined) return answer(said)
  const before = parts.get(said.id)
  if (before === undefined) parts.set(said.id, [said.part])
  else before.push(said.part)
}

function textOf({ id, payload }) {
  const text = (payload === undefined ? Buffer.concat(parts.get(id) ?? []) : Buffer.from(payload)).toString('utf8')
  parts.delete(id)
  return text
}

async function answer(asked) {
  const { id, event, callId, sessionId } = asked
  const text = textOf(asked)
  const loaded = await loading
  if (loaded.fault !== undefined) return say({ id, kind: 'unloadable', why: loaded.fault })
  let hook
  try {
    hook = hookFor(event, loaded)
  } catch (why) {
    return say({ id, kind: 'unusable', why })
  }
  try {
    const input = JSON.parse(text)
    const context = new Context(input, { callId, sessionId })
    const value = await calls.run({ id, room: limit }, () => hook.callback(input, context))
    if (value === undefined || value === null) return say({ id, kind: 'silent' })
    const bytes = serialize(value)
    say(bytes.length > limit ? { id, kind: 'overflowed' } : { id, kind: 'answered', bytes })
  } catch (error) {
    say({ id, kind: 'threw', error: messageOf(error), at: placeOf(error), closed: hook.options?.onFailure === 'block' })
  }
}

class Context {
  #controller
  constructor(input, { callId, sessionId }) {
    this.callId = callId
    this.sessionId = sessionId
    this.locals = {}
    if (typeof input.tool_use_id === 'string') this.toolUseId = input.tool_use_id
  }
  // Never fires: a worker that has to be ended is ended with everything in it.
  get signal() {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }
}

function messageOf(error) {
  try {
    return (error instanceof Error ? String(error.message) || String(error.name) : String(error)).slice(0, 10000)
  } catch {
    return 'a value that cannot be shown'
  }
}

// Of a mistake in the syntax of an ES module, Node tells the place to nobody who catches it.
function checkOf(error) {
  return error instanceof SyntaxError ? ' ("node --check" with this file says where)' : ''
}

// " at guard.mjs:12:9": the place alone; a whole stack is for the author's own debugger.
function placeOf(error) {
  try {
    const stack = error instanceof Error ? String(error.stack) : ''
    const frame = /^(file:[^\n]+:\d+)$/m.exec(stack) ?? /(?:\(|at )((?:file:|\/|[A-Za-z]:[\\/])[^\n]*?:\d+:\d+)\)?$/m.exec(stack)
    return frame === null ? '' : ' at ' + frame[1].replace(/^.*[/\\]/, '')
  } catch {
    return ''
  }
}

parentPort.on('message', hear)
`
