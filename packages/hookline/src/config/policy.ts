/** Folds what all sources forbid into one policy; sources can only make it narrower (design decision 8). */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { Skipped, Source, SourceKind } from '../protocol/hook.ts'
import { comesWithFolder } from './env-block.ts'
import { diagnose } from './findings.ts'
import type { PolicyKeys } from './policy-keys.ts'
import { floorsOf } from './sandbox-fence.ts'
import type { Policy } from './snapshot.ts'

/** The keys of one source. */
export interface PolicySource {
  readonly source: Source
  readonly keys: PolicyKeys
}

/** The policy, and what it means for sources and hooks. */
export interface FoldedPolicy {
  readonly policy: Policy
  /** Why the hooks of a source are off; `forced` plugins were switched on by managed settings. */
  offFor(kind: SourceKind, forced?: boolean): Skipped | undefined
  /** The source of the folder that switches off what others brought; that reaches beyond the folder only where the folder is accepted. */
  readonly folderSwitch?: Source
  /** Why one hook is off. */
  disabled(id: string, kind: SourceKind): Skipped | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** No policy at all. */
export const noPolicy: Policy = {
  allowManagedHooksOnly: false,
  strictPluginOnly: false,
  allowedHttpOrigins: [],
  requireFailClosed: [],
  disabledHooks: [],
  hookSandbox: {},
}

/** Folds the sources, weakest first. */
export function foldPolicy(sources: readonly PolicySource[]): FoldedPolicy {
  const managed = sources.filter(({ source }) => source.kind === 'managed')
  const switched = switchOf(sources)
  const { byFolder } = switched
  const urls = narrowed(sources.map(({ keys }) => keys.allowedHttpHookUrls))
  const variables = narrowed(sources.map(({ keys }) => keys.httpHookAllowedEnvVars))
  const required = managed.map(({ keys }) => keys.requireFailClosed ?? [])
  const policy: Policy = {
    ...(switched.off === undefined ? {} : { disableAllHooks: switched.off }),
    allowManagedHooksOnly: managed.some(({ keys }) => keys.allowManagedHooksOnly === true),
    strictPluginOnly: managed.some(({ keys }) => keys.strictPluginOnly === true),
    ...(urls === undefined ? {} : { allowedHttpHookUrls: urls }),
    ...(variables === undefined ? {} : { httpHookAllowedEnvVars: variables }),
    allowedHttpOrigins: union(sources.map(({ keys }) => keys.allowedHttpOrigins)),
    requireFailClosed: required.includes(true) ? true : union(required as (readonly string[])[]),
    disabledHooks: union(sources.map(({ keys }) => keys.disabledHooks)),
    hookSandbox: floorsOf(sources.map(({ keys }) => keys.sandbox?.floors ?? {})),
    ...(sources.some(({ keys }) => keys.auditRequired) ? { auditRequired: true as const } : {}),
    ...(isUnprotected(sources) ? { selfProtection: false as const } : {}),
  }
  const byManaged = new Set(union(managed.map(({ keys }) => keys.disabledHooks)))
  return {
    policy,
    diagnostics: switched.diagnostics,
    // The folder's word comes last: where it does not count, the others still do.
    offFor: (kind, forced = false) => offFor(byFolder === undefined ? policy : { ...policy, disableAllHooks: 'folder' }, kind, forced),
    ...(byFolder === undefined ? {} : { folderSwitch: byFolder }),
    disabled: (id, kind) => {
      if (byManaged.has(id)) return { why: 'disabled', detail: `managed settings list ${id} in "disabledHooks"` }
      return policy.disabledHooks.includes(id) && kind !== 'managed' ? { why: 'disabled', detail: `user settings list ${id} in "disabledHooks"` } : undefined
    },
  }
}

/** Whether self-protection is switched off: by managed settings, or by the user where those say nothing. */
function isUnprotected(sources: readonly PolicySource[]): boolean {
  const said = (kind: SourceKind) => sources.flatMap(({ source, keys }) => (source.kind === kind ? (keys.selfProtection ?? []) : []))
  const managed = said('managed')
  return managed.length > 0 ? managed.every((on) => !on) : said('user').includes(false)
}

/** The value of `disableAllHooks` after precedence, save that a folder cannot undo what the user set. */
function switchOf(sources: readonly PolicySource[]): { off?: 'all' | 'unmanaged'; byFolder?: Source; diagnostics: Diagnostic[] } {
  const said = (kind: SourceKind) => sources.filter(({ source, keys }) => source.kind === kind && keys.disableAllHooks !== undefined)
  const value = (kind: SourceKind) => said(kind).at(-1)?.keys.disableAllHooks
  const managed = said('managed')
  if (managed.length > 0) return managed.some(({ keys }) => keys.disableAllHooks) ? { off: 'all', diagnostics: [] } : { diagnostics: [] }
  const user = said('user').some(({ keys }) => keys.disableAllHooks)
  const own = value('session') ?? (user || undefined)
  const folder = own === undefined && (value('local') ?? value('project') ?? false)
  const off = own ?? folder
  const undoing = user ? [...said('project'), ...said('local')].filter(({ keys }) => keys.disableAllHooks === false) : []
  const diagnostics = undoing.map(({ source }) =>
    diagnose(
      'policy-entry',
      'disableAllHooks: false has no effect: a folder cannot switch on again what the user switched off',
      source.file === undefined ? {} : { file: source.file },
    ),
  )
  if (folder) {
    for (const { source } of [...said('project'), ...said('local')].filter(({ keys }) => keys.disableAllHooks))
      diagnostics.push(
        diagnose(
          'policy-entry',
          "disableAllHooks: true of this folder switches off what the folder brings; where the folder is accepted, the user's own hooks too",
          {
            severity: 'warning',
            hint: 'Remove it, or set it in the user settings if that is what is wanted.',
            ...(source.file === undefined ? {} : { file: source.file }),
          },
        ),
      )
  }
  const byFolder = folder ? (value('local') === undefined ? said('project') : said('local')).at(-1)?.source : undefined
  return { ...(off ? { off: 'unmanaged' as const } : {}), ...(byFolder === undefined ? {} : { byFolder }), diagnostics }
}

/** Why the hooks of a kind of source are off under a policy. */
export function offFor(policy: Policy, kind: SourceKind, forced: boolean): Skipped | undefined {
  const off = (detail: string): Skipped => ({ why: 'policy', detail })
  if (policy.disableAllHooks === 'all') return off('managed settings switch all hooks off (disableAllHooks)')
  if (kind === 'managed' || kind === 'builtin' || forced) return undefined
  if (policy.disableAllHooks === 'unmanaged') return off('disableAllHooks switches all hooks off but the managed ones')
  if (policy.disableAllHooks === 'folder' && comesWithFolder(kind)) return off('disableAllHooks of this folder switches off what the folder brings')
  if (policy.allowManagedHooksOnly) return off('managed settings allow managed hooks only (allowManagedHooksOnly)')
  if (policy.strictPluginOnly && kind !== 'plugin')
    return off('managed settings allow hooks of plugins and managed settings only (strictPluginOnlyCustomization)')
  return undefined
}

/** What every list that is there allows; `undefined` when there is none. */
function narrowed(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const there = lists.filter((list) => list !== undefined)
  return there.length === 0 ? undefined : there.reduce((before, list) => both(before, list))
}

/** The patterns that both lists allow: those of one that a pattern of the other covers. Of two that only overlap neither stays. */
function both(a: readonly string[], b: readonly string[]): readonly string[] {
  return [
    ...new Set([...a.filter((pattern) => b.some((other) => covers(other, pattern))), ...b.filter((pattern) => a.some((other) => covers(other, pattern)))]),
  ]
}

/** `*` in `pattern` stands for any text; a star in `text` is covered by a star only. Never backtracks over more than one star. */
function covers(pattern: string, text: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let here = 0
  while (here < text.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = here
    } else if (at < pattern.length && pattern[at] === text[here]) {
      at += 1
      here += 1
    } else if (star >= 0) {
      at = star + 1
      here = ++resume
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}

function union(lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))]
}
