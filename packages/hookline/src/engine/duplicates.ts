/** Identical hooks run once (design decision 2). The last stays, and a folder that repeats a hook of its user makes it no weaker. */
import type { ConfiguredHook } from '../config/snapshot.ts'
import type { HookInfo, Skipped } from '../protocol/hook.ts'

/** Of identical hooks the last in configuration order stays. */
export function withoutDuplicates(hooks: readonly ConfiguredHook[]): readonly ConfiguredHook[] {
  const seen = new Map<string, number>()
  const kept: ConfiguredHook[] = []
  for (let at = hooks.length - 1; at >= 0; at--) {
    const hook = hooks[at] as ConfiguredHook
    const twin = hook.dedupKey === undefined ? undefined : seen.get(hook.dedupKey)
    if (twin !== undefined) {
      kept[twin] = asUsersWrote(kept[twin] as ConfiguredHook, hook)
      continue
    }
    if (hook.dedupKey !== undefined) seen.set(hook.dedupKey, kept.length)
    kept.push(hook)
  }
  return kept.reverse()
}

/** The hook in a selection that does the same as this one. */
export function duplicateOf(hook: ConfiguredHook, run: readonly ConfiguredHook[]): ConfiguredHook | undefined {
  return hook.dedupKey === undefined ? undefined : run.findLast((other) => other.info.id !== hook.info.id && other.dedupKey === hook.dedupKey)
}

/** The skip of a hook that a later one repeats. */
export function duplicateWords(hook: ConfiguredHook, twin: ConfiguredHook): Skipped {
  const how = comesWithFolder(twin) && !comesWithFolder(hook) ? '; it runs as it is written here' : ''
  return { why: 'duplicate', detail: `${twin.info.id} does the same and comes later${how}` }
}

/** What needs consent comes with a folder, whatever kind of source it is. */
function comesWithFolder({ info }: ConfiguredHook): boolean {
  return info.trust !== 'not-needed'
}

// Handlers may know a hook by its identity, so two hooks always give the same one.
const merged = new WeakMap<ConfiguredHook, WeakMap<ConfiguredHook, ConfiguredHook>>()
const made = new WeakSet<ConfiguredHook>()

/**
 * The folder's copy of a hook that its user wrote, under the copy's own id: it runs as the user wrote it, with what the copy adds in
 * strictness. Otherwise a repository could repeat a guard in the background, with a deadline that it cannot keep, or without `onFailure`.
 */
function asUsersWrote(copy: ConfiguredHook, own: ConfiguredHook): ConfiguredHook {
  // Of several that the user wrote the last one counts, as everywhere.
  if (!comesWithFolder(copy) || comesWithFolder(own) || made.has(copy)) return copy
  const known = merged.get(copy)?.get(own)
  if (known !== undefined) return known
  const { background: _, info: __, ...written } = own
  const background = copy.background === undefined ? undefined : own.background
  const failClosed = copy.failClosed || own.failClosed
  const longer = copy.timeoutMs > own.timeoutMs ? copy : own
  const once = copy.once && own.once
  const one: ConfiguredHook = Object.freeze({
    ...written,
    failClosed,
    once,
    timeoutMs: longer.timeoutMs,
    ownTimeout: longer.ownTimeout,
    ...(background === undefined ? {} : { background }),
    info: infoOf(copy.info, own.info, { failClosed, timeout: longer.info.timeout, once, background }),
  })
  const forCopy = merged.get(copy) ?? new WeakMap<ConfiguredHook, ConfiguredHook>()
  merged.set(copy, forCopy.set(own, one))
  made.add(one)
  return one
}

interface Strictest extends Pick<ConfiguredHook, 'failClosed' | 'once'> {
  readonly timeout: number
  readonly background: ConfiguredHook['background'] | undefined
}

/** The record says how it runs. The digest stays a getter: most are never read. */
function infoOf(copy: HookInfo, own: HookInfo, { failClosed, timeout, once, background }: Strictest): HookInfo {
  const flags = own.flags.filter((flag) => (flag === 'once' ? once : flag === 'persistent' || flag === background))
  const descriptors = Object.getOwnPropertyDescriptors(copy)
  const fixed = (value: unknown) => ({ value, enumerable: true })
  return Object.freeze(
    Object.defineProperties(
      {},
      {
        ...descriptors,
        timeout: fixed(timeout),
        ...(failClosed ? { onFailure: fixed('block') } : {}),
        ...(own.sandbox === undefined ? {} : { sandbox: fixed(own.sandbox) }),
        flags: fixed(Object.freeze(flags)),
      },
    ),
  ) as HookInfo
}
