/** Puts what is accepted into a snapshot: the trust of every hook, and only those rules, modes, folders and variables that count. */
import type { HookInfo } from '../protocol/hook.ts'
import { comesWithFolder } from './env-block.ts'
import type { ConfiguredHook, Snapshot, SourceState } from './snapshot.ts'
import { envUnit, folderEnv, folderUnit, modeUnit, ruleUnit, switchUnit } from './trust-items.ts'
import type { Compared } from './trust-record.ts'

/** The same snapshot as far as it is accepted. `snapshot` is the one that was loaded; `watched` are scripts, whose change means to load anew. */
export function applyTrust(loaded: Snapshot, { trust, accepted }: Compared, { watched = [] }: { watched?: readonly string[] } = {}): Snapshot {
  const snapshot = switchUnit(loaded).every(({ unit }) => accepted.has(unit.digest)) ? loaded : withoutSwitch(loaded)
  const hooks = snapshot.hooks.map((hook) => {
    const now = trust.get(hook.info.id)
    return now === undefined || now === hook.info.trust ? hook : Object.freeze({ ...hook, info: withTrust(hook.info, now) })
  })
  const counts = (units: readonly { unit: { digest: string } }[]) => units.every(({ unit }) => accepted.has(unit.digest))
  const rules = snapshot.rules.filter((rule) => counts(ruleUnit(rule)))
  const modes = snapshot.modes?.filter((mode) => counts(modeUnit(mode)))
  const folders = snapshot.folders?.filter((folder) => counts(folderUnit(folder)))
  const setsEnv = envUnit(folderEnv(snapshot)).every(({ digest }) => accepted.has(digest))
  const env = setsEnv ? snapshot.env : snapshot.env?.filter(({ source }) => !comesWithFolder(source.kind))
  const { mode: _, ...rest } = snapshot
  const mode = modes === undefined ? snapshot.mode : modes.at(-1)?.mode
  return Object.freeze({
    ...rest,
    sources: snapshot.sources.map((source) =>
      withSourceTrust(source, { hooks, rulesLeft: snapshot.rules.some((rule) => rule.source.id === source.id && !rules.includes(rule)) }),
    ),
    hooks: Object.freeze(hooks),
    rules: Object.freeze(rules),
    ...(snapshot.watched === undefined ? {} : { watched: Object.freeze([...new Set([...snapshot.watched, ...watched])]) }),
    ...(modes === undefined ? {} : { modes: Object.freeze(modes) }),
    ...(mode === undefined ? {} : { mode }),
    ...(folders === undefined ? {} : { folders: Object.freeze(folders) }),
    ...(env === undefined ? {} : { env: Object.freeze(env) }),
  })
}

/** The snapshot with these hooks in need of consent, as what a folder brings is. */
export function doubting(snapshot: Snapshot, isDoubted: (hook: ConfiguredHook) => boolean): Snapshot {
  if (!snapshot.hooks.some(isDoubted)) return snapshot
  const hooks = snapshot.hooks.map((hook) => (isDoubted(hook) ? Object.freeze({ ...hook, info: withTrust(hook.info, 'untrusted') }) : hook))
  return Object.freeze({ ...snapshot, hooks: Object.freeze(hooks) })
}

/** The folder's `disableAllHooks` reaches no further than the folder. */
function withoutSwitch(snapshot: Snapshot): Snapshot {
  const { folderSwitch, ...rest } = snapshot
  const own = (kind: SourceState['kind']) => comesWithFolder(kind)
  const lift = (hook: ConfiguredHook): ConfiguredHook => {
    if (hook.fault === undefined || hook.fault !== folderSwitch?.fault || own(hook.info.source.kind)) return hook
    const { fault: _, ...lifted } = hook
    return Object.freeze(lifted)
  }
  return {
    ...rest,
    hooks: snapshot.hooks.map(lift),
    sources: snapshot.sources.map((source) =>
      source.state === 'off-by-policy' && !own(source.kind) && !snapshot.policy.allowManagedHooksOnly && !snapshot.policy.strictPluginOnly
        ? Object.freeze({ ...source, state: 'loaded' as const })
        : source,
    ),
    policy: Object.freeze({ ...snapshot.policy, disableAllHooks: 'folder' as const }),
  }
}

/** The digest stays a getter: most are never read. */
function withTrust(info: HookInfo, trust: HookInfo['trust']): HookInfo {
  const descriptors = Object.getOwnPropertyDescriptors(info)
  return Object.freeze(Object.defineProperties({}, { ...descriptors, trust: { value: trust, enumerable: true } })) as HookInfo
}

const weakest: readonly HookInfo['trust'][] = ['changed', 'untrusted', 'trusted']

/** A source is trusted as far as the least trusted thing in it. */
function withSourceTrust(source: SourceState, { hooks, rulesLeft }: { hooks: readonly ConfiguredHook[]; rulesLeft: boolean }): SourceState {
  if (!comesWithFolder(source.kind) || source.trust === undefined) return source
  const own = hooks.filter(({ info }) => info.source.id === source.id).map(({ info }) => info.trust)
  const least = weakest.find((word) => own.includes(word))
  const trust = rulesLeft && least !== 'changed' ? 'untrusted' : (least ?? 'not-needed')
  return Object.freeze({ ...source, trust })
}
