/** Asks the hooks in force whether a change of the settings may take effect. */
import type { Snapshot } from '../config/snapshot.ts'
import { events } from '../protocol/events.ts'
import type { HookId, SourceKind } from '../protocol/hook.ts'
import type { ScopeCore } from './scope.ts'

/** One kind of settings that changed, with a file to name. */
export interface Change {
  readonly source: string
  readonly file?: string
}

const sourceNames: Partial<Record<SourceKind, string>> = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  managed: 'policy_settings',
  plugin: 'skills',
}

/** Which kinds of settings differ between two snapshots, each once. */
export function changedKinds(before: Snapshot, after: Snapshot): Change[] {
  const changes = new Map<string, Change>()
  const print = (snapshot: Snapshot, id: string) => [
    snapshot.sources.find((source) => source.id === id)?.state ?? 'absent',
    ...snapshot.hooks.filter((hook) => hook.info.source.id === id).map((hook) => `${hook.info.id} ${hook.info.digest}`),
    ...snapshot.rules.filter((rule) => rule.source.id === id).map((rule) => `${rule.list} ${rule.rule.text}`),
  ]
  for (const source of [...before.sources, ...after.sources]) {
    const name = sourceNames[source.kind]
    if (name === undefined || changes.has(name)) continue
    if (print(before, source.id).join('\n') === print(after, source.id).join('\n')) continue
    const file = source.path ?? source.file
    changes.set(name, file === undefined ? { source: name } : { source: name, file })
  }
  return [...changes.values()]
}

/** Fires the event of each change; the hook that refuses one, if any did. The event's row says which changes nobody may refuse. */
export async function vetoReload(scope: ScopeCore, changes: readonly Change[]): Promise<HookId | undefined> {
  for (const { source, file } of changes) {
    if (!scope.has(events.ConfigChange)) return undefined
    const verdict = await scope.fire(events.ConfigChange, { source, ...(file === undefined ? {} : { file_path: file }) })
    if (verdict.blocked) return 'folded' in verdict ? (verdict.folded.blocks[0]?.by ?? 'unknown') : 'unknown'
  }
  return undefined
}
