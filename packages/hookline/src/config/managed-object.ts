/** Policy of the embedding program: an object in the settings format, the strongest source. */
import { HooklineError } from '../errors.ts'
import type { EventDef } from '../protocol/event-types.ts'
import type { NamedRow } from '../protocol/events.ts'
import { composeSnapshot } from './compose.ts'
import { Findings } from './findings.ts'
import type { LoadedSource } from './loaded-source.ts'
import type { BoundedRegex } from './matcher.ts'
import { readContent } from './read-content.ts'
import type { Snapshot } from './snapshot.ts'
import { treeOf } from './tree.ts'

/** What the object is read with. */
export interface ManagedOptions {
  readonly events?: readonly EventDef[]
  readonly bounded?: BoundedRegex
  /** The folder that rule paths such as "/src" start from. */
  readonly root?: string
  readonly id?: string
}

/** The snapshot of a Hookline whose only settings are this object. @throws HooklineError `invalid-option` when it is no object. */
export function loadManaged(managed: object, options: ManagedOptions = {}): Snapshot {
  return composeSnapshot([managedSource(managed, options)])
}

/** Reads the object as a source of kind `managed`. @throws HooklineError `invalid-option` when it is no object. */
export function managedSource(managed: object, { events = [], bounded, root = '', id = 'managed' }: ManagedOptions = {}): LoadedSource {
  const tree = treeOf(managed)
  if (tree.kind !== 'object')
    throw new HooklineError('invalid-option', 'Option "managed" must be an object in the settings format.', {
      hint: 'For example { allowManagedHooksOnly: true }.',
    })
  const source = { id, kind: 'managed' as const }
  const findings = new Findings()
  const site = { source, findings, root, events: events as unknown as readonly NamedRow[], ...(bounded === undefined ? {} : { bounded }) }
  return { state: { ...source, state: 'loaded' }, content: readContent(tree, site), diagnostics: findings.list }
}
