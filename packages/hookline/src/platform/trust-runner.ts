/** Stands in front of a handler: a hook that was accepted with its scripts runs private copies of them, or is refused because one changed. */
import type { PinnedScript, PinnedScripts } from '../config/trust-scripts.ts'
import type { HandlerSpec } from '../protocol/handler-spec.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../protocol/runner.ts'
import type { ScriptStage, Staged } from './trust-stage.ts'

/** What the guard looks at. */
export interface ScriptGuard {
  /** The scripts that a hook was accepted with; `undefined`: it has none, or nobody had to accept it. */
  readonly scriptsOf: (hook: RunnableHook) => PinnedScripts | undefined
  readonly stage: ScriptStage
  readonly projectDir: string
  /** Gives a hook a PATH that the folder has no part in; absent: it has none, or the host vouches for it. */
  readonly placed?: ((hook: RunnableHook) => RunnableHook) | undefined
  /** A script is not what was accepted any more. */
  readonly changed: () => void
}

/** The same handler behind the guard. */
export function guardScripts(runner: HandlerRunner, guard: ScriptGuard): HandlerRunner {
  // A handler may know a hook by its identity, so the same copies give the same hook.
  const ready = new WeakMap<RunnableHook, { key: string; hook: RunnableHook }>()
  const staged = (hook: RunnableHook, copies: ReadonlyMap<string, string>, scripts: readonly PinnedScript[]): RunnableHook => {
    const key = [...copies].flat().join('\n')
    const known = ready.get(hook)
    if (known?.key === key) return known.hook
    const made = withCopies(hook, copies, scripts)
    ready.set(hook, { key, hook: made })
    return made
  }
  return {
    ...runner,
    run(hook, context) {
      const pinned = guard.scriptsOf(hook)
      const own = guard.placed?.(hook) ?? hook
      return pinned === undefined
        ? runner.run(own, context)
        : runStaged(pinned, { hook, context, guard, run: (copies) => runner.run(staged(own, copies, pinned.scripts), context) })
    },
  }
}

interface Staging {
  readonly hook: RunnableHook
  readonly context: RunContext
  readonly guard: ScriptGuard
  readonly run: (copies: ReadonlyMap<string, string>) => RawResult | PromiseLike<RawResult>
}

async function runStaged(pinned: PinnedScripts, { hook, context, guard, run }: Staging): Promise<RawResult> {
  const { projectDir } = guard
  // A process that stays stands where the session began, wherever its events stand.
  const cwd = hook.info.flags.includes('persistent') ? projectDir : context.cwd
  let stage: Staged
  try {
    stage = await guard.stage.prepare(pinned, { projectDir, cwd })
  } catch (error) {
    return refused(`its scripts could not be copied to a private folder: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (stage.kind === 'changed') {
    guard.changed()
    return refused(`${wordsOf(stage)}; \`hookline trust\` shows the difference`)
  }
  try {
    return await run(stage.copies)
  } finally {
    stage.settle()
  }
}

function wordsOf({ shown, how }: Extract<Staged, { kind: 'changed' }>): string {
  switch (how) {
    case 'changed':
      return `${shown} changed since it was accepted`
    case 'gone':
      return `${shown} was accepted and is gone`
    case 'appeared':
      return `${shown} was not there when the hook was accepted`
    case 'another':
      return `${shown} is another file where this event stands than the one that was accepted`
  }
}

function refused(why: string): RawResult {
  return { ending: { kind: 'refused', why } }
}

/** The hook with the names of its scripts replaced by those of the copies. */
function withCopies(hook: RunnableHook, copies: ReadonlyMap<string, string>, scripts: readonly PinnedScript[]): RunnableHook {
  const { spec } = hook
  if (copies.size === 0 || spec === undefined) return hook
  if (spec.type === 'module') {
    const copy = [...copies.values()][0]
    return copy === undefined ? hook : { ...hook, spec: { ...spec, path: copy } as HandlerSpec }
  }
  if (spec.type !== 'command') return hook
  const placed = scripts.flatMap(({ path, seats = [] }) => {
    const copy = copies.get(path)
    return copy === undefined ? [] : seats.map((seat) => ({ seat, copy }))
  })
  if (spec.args !== undefined) {
    const words = [spec.command, ...spec.args]
    for (const { seat, copy } of placed) if (seat.kind === 'word') words[seat.index] = copy
    return { ...hook, spec: { ...spec, command: words[0] ?? '', args: words.slice(1) } }
  }
  let { command } = spec
  const inText = placed.flatMap(({ seat, copy }) => (seat.kind === 'text' ? [{ ...seat, copy }] : []))
  for (const { start, end, copy } of inText.sort((a, b) => b.start - a.start)) command = `${command.slice(0, start)}${quoted(copy)}${command.slice(end)}`
  return { ...hook, spec: { ...spec, command } }
}

/** One word for a POSIX shell. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}
