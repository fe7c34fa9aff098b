/** One source after reading, before all are composed into a snapshot. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookInfo, SourceKind } from '../protocol/hook.ts'
import { noPermissions } from './permission-lists.ts'
import type { SettingsContent } from './read-content.ts'
import type { HookSeed } from './read-hooks.ts'
import type { SourceState } from './snapshot.ts'

/** A source that was looked for. Without content it is absent or broken. */
export interface LoadedSource {
  readonly state: SourceState
  readonly content?: SettingsContent
  readonly diagnostics: readonly Diagnostic[]
  /** Of a plugin: its folder, what its hooks get, and whether managed settings switched it on. */
  readonly plugin?: { readonly root: string; readonly variables: Readonly<Record<string, string>>; readonly forced: boolean }
}

/** Content that is nothing but hooks: plugins and front matter set no policy. */
export function onlyHooks(seeds: readonly HookSeed[]): SettingsContent {
  return { seeds, policy: {}, permissions: noPermissions, env: {}, plugins: new Map(), pluginOptions: new Map() }
}

/** Whether hooks of a source need consent, before any was given (design decision 7). */
export function trustBefore(kind: SourceKind): HookInfo['trust'] {
  return kind === 'project' || kind === 'local' || kind === 'plugin' ? 'untrusted' : 'not-needed'
}
