/** Chooses the hooks of a call: gate, matcher, `if`, once, handler type, duplicates. Why the others do not run is worked out when asked. */
import { matchSubject } from '../config/match-subject.ts'
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { RealPath } from '../permission/call.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { Skipped } from '../protocol/hook.ts'
import type { HandlerRunner } from '../protocol/runner.ts'
import type { PlainInput } from './check-input.ts'
import { duplicateOf, duplicateWords, withoutDuplicates } from './duplicates.ts'
import { gate, type TrustGate } from './gate.ts'
import { absentGuard, judge, judgeCondition, judgeHandler, judgeOnce, judgeSandbox, unfenced, unknownMatch } from './judge.ts'
import { MatchIndex } from './match-index.ts'

/** What selection looks at beside the hooks. */
export interface SelectionContext {
  readonly row: NamedRow
  readonly input: PlainInput
  readonly trusted: TrustGate
  readonly runners: ReadonlyMap<string, HandlerRunner>
  readonly spent: ReadonlySet<string>
  readonly projectDir: string
  readonly home: string | undefined
  readonly realPath?: RealPath | undefined
}

/** The hooks that run, in configuration order. */
export interface Selection {
  readonly run: readonly ConfiguredHook[]
  /** Hooks that could not be judged, because looking at the call failed. */
  readonly unjudged: readonly { readonly hook: ConfiguredHook; readonly why: string }[]
  /** Hooks that fail closed and cannot have the sandbox they must have. */
  readonly unfenced: readonly { readonly hook: ConfiguredHook; readonly why: string }[]
  readonly warnings: readonly Diagnostic[]
  /** All that run, where each is code that can be asked without a walk, and there is nothing else to tell. */
  readonly direct?: readonly DirectHook[] | undefined
}

/** A hook in code, and who asks it. */
export interface DirectHook {
  readonly hook: ConfiguredHook
  readonly runner: AskingRunner
}
/** A selection of which all can be asked. */
export type DirectSelection = Selection & { readonly direct: readonly DirectHook[] }
type AskingRunner = HandlerRunner & Required<Pick<HandlerRunner, 'ask'>>

interface Found extends Selection {
  /** `if` and `once` look at more than the match value, so they are judged at each call. */
  readonly open: readonly ConfiguredHook[]
}

const nothing: readonly never[] = Object.freeze([])
const mostValues = 512

/** Selects for one plan; remembers what does not depend on more than the match value. */
export class Selector {
  readonly #row: NamedRow
  readonly #all: readonly ConfiguredHook[]
  #hooks: readonly ConfiguredHook[] = []
  #index: MatchIndex | undefined
  // Values may be chosen by strangers (tool names of MCP servers), so the memory is bounded.
  readonly #byValue = new Map<string | undefined, Found>()

  constructor(row: NamedRow, hooks: readonly ConfiguredHook[]) {
    this.#row = row
    this.#all = hooks
  }

  /** What an earlier call of the same match value found, where nothing else counts; else it has to be selected. */
  known({ row, input }: { readonly row: NamedRow; readonly input: PlainInput }): Selection | undefined {
    const found = this.#byValue.get(matchSubject(row, input))
    return found === undefined || found.open.length > 0 ? undefined : found
  }

  select(context: SelectionContext): Selection {
    const value = matchSubject(context.row, context.input)
    const found = this.#byValue.get(value) ?? this.#find(value, context)
    return found.open.length === 0 ? found : judgeOpen(found, context)
  }

  /** Why a hook was left out of a selection. */
  why(hook: ConfiguredHook, selection: Selection, context: SelectionContext): Skipped {
    return judge(hook, context, { warnings: [] }) ?? duplicateWords(hook, duplicateOf(hook, selection.run) ?? hook)
  }

  #find(value: string | undefined, context: SelectionContext): Found {
    // The gate comes first: a pattern of a folder nobody answered for is not even tried. What changes the gate makes a new plan.
    if (this.#index === undefined) {
      this.#hooks = this.#all.filter((hook) => gate(hook, context.trusted) === undefined)
      this.#index = new MatchIndex(this.#row, this.#hooks)
    }
    const { matched, unknown } = this.#index.look(value)
    const unsure = unknown.map((position) => this.#hooks[position] as ConfiguredHook).filter((hook) => gate(hook, context.trusted) === undefined)
    const warnings = unsure.map((hook) => unknownMatch(hook, context.row, value ?? ''))
    const closed = unknown.filter((position) => this.#hooks[position]?.failClosed)
    const positions = closed.length === 0 ? matched : [...matched, ...closed].sort((a, b) => a - b)
    const candidates = positions.map((position) => this.#hooks[position] as ConfiguredHook).filter((hook) => gate(hook, context.trusted) === undefined)
    const open = candidates.filter((hook) => hook.info.if !== undefined || hook.once)
    const able = candidates.filter((hook) => {
      const skipped = open.includes(hook) ? undefined : judgeHandler(hook, context, { warnings: [] })
      if (skipped !== undefined) warnings.push(...absentGuard(hook, skipped))
      return skipped === undefined
    })
    const fenced = fence(able, context, open)
    const { run } = fenced
    const found: Found = {
      run: open.length === 0 ? withoutDuplicates(run) : run,
      unjudged: nothing,
      unfenced: fenced.unfenced,
      warnings: fenced.warnings.length === 0 ? warnings : [...warnings, ...fenced.warnings],
      direct: open.length + warnings.length + fenced.unfenced.length + fenced.warnings.length > 0 ? undefined : directHooks(run, context),
      open,
    }
    // "Cannot tell" may be the fault of a busy machine, so it is asked again.
    if (unknown.length === 0 && (value === undefined || value.length <= 256)) {
      if (this.#byValue.size >= mostValues) this.#byValue.clear()
      this.#byValue.set(value, found)
    }
    return found
  }
}

/** The same hooks with who asks them, when all of them can be asked. */
function directHooks(hooks: readonly ConfiguredHook[], { runners }: SelectionContext): readonly DirectHook[] | undefined {
  const direct: DirectHook[] = []
  for (const hook of hooks) {
    const runner = runners.get(hook.type)
    if (runner?.ask === undefined || hook.callback === undefined || hook.background !== undefined) return undefined
    direct.push({ hook, runner: runner as AskingRunner })
  }
  return direct
}

interface Fenced extends Pick<Selection, 'run' | 'unfenced' | 'warnings'> {}

/** Leaves out the hooks that cannot have their sandbox. Those of `later` are judged at each call. */
function fence(hooks: readonly ConfiguredHook[], context: SelectionContext, later: readonly ConfiguredHook[] = nothing): Fenced {
  const bare = hooks.every((hook) => (hook.sandbox === undefined && hook.sandboxFault === undefined) || later.includes(hook))
  if (bare) return { run: hooks, unfenced: nothing, warnings: nothing }
  const run: ConfiguredHook[] = []
  const left: { hook: ConfiguredHook; why: string }[] = []
  const warnings: Diagnostic[] = []
  for (const hook of hooks) {
    const skipped = later.includes(hook) ? undefined : judgeSandbox(hook, context, {})
    if (skipped === undefined) run.push(hook)
    else if (hook.failClosed) left.push({ hook, why: skipped.detail })
    else warnings.push(unfenced(hook, skipped))
  }
  return { run, unfenced: left, warnings }
}

function judgeOpen({ run, warnings, open, unfenced: before }: Found, context: SelectionContext): Selection {
  const kept: ConfiguredHook[] = []
  const unjudged: { hook: ConfiguredHook; why: string }[] = []
  const absent: Diagnostic[] = []
  for (const hook of run) {
    if (!open.includes(hook)) kept.push(hook)
    else {
      try {
        const notes = { warnings: [] }
        const skipped = judgeCondition(hook, context, notes) ?? judgeOnce(hook, context, notes) ?? judgeHandler(hook, context, notes)
        if (skipped === undefined) kept.push(hook)
        else absent.push(...absentGuard(hook, skipped))
      } catch (error) {
        unjudged.push({ hook, why: `matching failed: ${error instanceof Error ? error.message : String(error)}` })
      }
    }
  }
  const fenced = fence(kept, context)
  return {
    run: withoutDuplicates(fenced.run),
    unjudged,
    unfenced: fenced.unfenced.length === 0 ? before : [...before, ...fenced.unfenced],
    warnings: fenced.warnings.length + absent.length === 0 ? warnings : [...warnings, ...absent, ...fenced.warnings],
  }
}
