/** What the settings in force say to a host beside its hooks: the mode, the environment and the folders of a session. */
import { HooklineScope } from '../engine/hookline.ts'
import type { Hookline } from '../engine/surface.ts'
import { HooklineError } from '../errors.ts'
import type { PermissionMode } from '../protocol/permission.ts'

/** The mode that the settings choose (`permissions.defaultMode`), for a host that was told none. */
export function defaultModeOf(hookline: Hookline): PermissionMode | undefined {
  return snapshotOf(hookline).mode as PermissionMode | undefined
}

/**
 * The variables that settings set for a session (`env`), stronger sources last: for the commands that a host starts.
 * What a folder brings is among them once it is accepted, without the names that a folder may not set.
 */
export function settingsEnvOf(hookline: Hookline): Readonly<Record<string, string>> {
  return Object.assign(Object.create(null), ...(snapshotOf(hookline).env ?? []).map(({ values }) => values)) as Record<string, string>
}

/** The folders beside the project that settings let an agent work in (`permissions.additionalDirectories`), as they are written; accepted ones only. */
export function additionalFoldersOf(hookline: Hookline): readonly string[] {
  return [...new Set((snapshotOf(hookline).folders ?? []).map(({ path }) => path))]
}

function snapshotOf(hookline: Hookline) {
  if (hookline instanceof HooklineScope) return hookline.snapshot
  throw new HooklineError('invalid-option', 'Give the Hookline that createHookline made.')
}
