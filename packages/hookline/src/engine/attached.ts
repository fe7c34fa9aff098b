/** What is attached to one scope: hooks in code and middleware, each with its undo. */
import { compileCallback, compileHook } from '../config/compile-hook.ts'
import type { ConfiguredHook } from '../config/snapshot.ts'
import { HooklineError } from '../errors.ts'
import type { HookOptions, Undo } from '../protocol/answering.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Engine } from './engine.ts'
import type { AnyMiddleware, Layer } from './middleware.ts'
import { undo } from './undo.ts'

/** A function as the engine runs it. */
export type AnyCallback = (input: never, context: never) => unknown

/** One hook in code, before it is compiled. */
export interface CodeHook {
  readonly callback: AnyCallback
  readonly type?: 'callback' | 'function'
  readonly options?: HookOptions
}

/** The hooks and middleware of one scope. */
export class Attached {
  readonly #engine: Engine
  readonly #hooks = new Map<string, ConfiguredHook[]>()
  readonly #layers: { readonly event: string; readonly layer: Layer }[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  hooks(row: NamedRow): readonly ConfiguredHook[] {
    return this.#hooks.get(row.name) ?? []
  }

  all(): readonly ConfiguredHook[] {
    return [...this.#hooks.values()].flat()
  }

  layers(row: NamedRow): readonly Layer[] {
    return this.#layers.filter(({ event }) => event === '*' || event === row.name).map(({ layer }) => layer)
  }

  /** Attaches a function. @throws HooklineError `invalid-option` when matcher, rule or timeout cannot be used. */
  add(row: NamedRow, { callback, type = 'callback', options = {} }: CodeHook): Undo {
    if (typeof callback !== 'function') {
      throw new HooklineError('invalid-option', `on("${row.name}"): the hook must be a function, not ${typeof callback}.`, {
        hint: `Call on("${row.name}", (input) => …).`,
      })
    }
    const group = this.#engine.nextCodeHook()
    return this.#keep(row, compileCallback({ row, source: { id: 'code', kind: 'session' }, group, index: 0, callback, type, options, ...this.#bounded() }))
  }

  /** Attaches one matcher group in the settings form; its hooks share the group number. */
  addGroup(row: NamedRow, group: { matcher?: unknown; hooks: readonly unknown[] }): Undo {
    const number = this.#engine.nextCodeHook()
    const undos = group.hooks.map((hook, index) => {
      const seat = { row, source: { id: 'code', kind: 'session' as const }, group: number, index, ...this.#bounded() }
      if (typeof hook === 'function') {
        const options: HookOptions = group.matcher === undefined ? {} : { matcher: group.matcher as string }
        return this.#keep(row, compileCallback({ ...seat, callback: hook as AnyCallback, type: 'callback', options }))
      }
      return this.#keep(row, compileHook({ ...seat, matcher: group.matcher, spec: hook as Record<string, unknown>, trust: 'not-needed' }))
    })
    return undo(() => {
      for (const back of undos) back()
    })
  }

  /** Attaches hooks of many events, each a function or a group in the settings form. */
  addMany(hooks: Record<string, readonly unknown[]>): Undo {
    const undos = Object.entries(hooks).flatMap(([name, groups]) => {
      const row = this.#engine.rowFor(name)
      return groups.map((group) =>
        typeof group === 'function'
          ? this.add(row, { callback: group as AnyCallback })
          : this.addGroup(row, group as { matcher?: unknown; hooks: readonly unknown[] }),
      )
    })
    return undo(() => {
      for (const back of undos) back()
    })
  }

  /** Attaches hooks that were read and compiled elsewhere, such as those of a skill that starts. */
  addCompiled(hooks: readonly ConfiguredHook[]): Undo {
    for (const hook of hooks) this.#hooks.set(hook.event, [...(this.#hooks.get(hook.event) ?? []), hook])
    this.#engine.changed()
    return undo(() => {
      for (const hook of hooks)
        this.#hooks.set(
          hook.event,
          (this.#hooks.get(hook.event) ?? []).filter((other) => other !== hook),
        )
      this.#engine.changed()
    })
  }

  use(event: string, middleware: AnyMiddleware, name: string): Undo {
    if (typeof middleware !== 'function') {
      throw new HooklineError('invalid-option', `use("${event}"): the middleware must be a function, not ${typeof middleware}.`, {
        hint: 'Call use(event, (call, next) => next(call)).',
      })
    }
    const entry = { event, layer: { middleware, name } }
    this.#layers.push(entry)
    this.#engine.changed()
    return undo(() => {
      this.#layers.splice(this.#layers.indexOf(entry), 1)
      this.#engine.changed()
    })
  }

  clear(): void {
    this.#hooks.clear()
    this.#layers.length = 0
    this.#engine.changed()
  }

  #bounded() {
    const { bounded } = this.#engine.parts
    return bounded === undefined ? {} : { bounded }
  }

  #keep(row: NamedRow, hook: ConfiguredHook): Undo {
    if (hook.fault?.why === 'invalid') {
      throw new HooklineError('invalid-option', `on("${row.name}"): ${hook.fault.detail}`, {
        hint: 'Correct the matcher, the rule or the timeout of this hook.',
      })
    }
    return this.addCompiled([hook])
  }
}
