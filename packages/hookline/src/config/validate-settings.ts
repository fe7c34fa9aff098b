/** Validates one settings file from its text: every problem with its place, code and what to do. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { EventDef } from '../protocol/event-types.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { SourceKind } from '../protocol/hook.ts'
import type { Surroundings } from './check-command.ts'
import type { BoundedRegex } from './matcher.ts'
import { nameIn } from './paths.ts'
import { checkTopLevel, readContent } from './read-content.ts'
import { readHooks } from './read-hooks.ts'
import { readSettings } from './read-settings.ts'
import { memberOf } from './tree.ts'

/** What is known of the file beside its text. Without `exists` and `onPath` no program is looked for. */
export interface ValidateOptions extends Surroundings {
  /** Shown in diagnostics; also tells what kind of file it is, unless `kind` says so. */
  readonly file: string
  readonly kind?: SourceKind
  /** Source id for the hook ids; default: the kind. */
  readonly id?: string
  /** Host-defined events. */
  readonly events?: readonly EventDef[]
  readonly bounded?: BoundedRegex
}

/** The problems of a settings file, in the order of the file. A sound file has none. Never throws. */
export function validateSettings(text: string, options: ValidateOptions): Diagnostic[] {
  const { tree, findings } = readSettings(text, options.file)
  if (tree !== undefined) {
    const kind = options.kind ?? kindOf(options.file)
    const source = { id: options.id ?? kind, kind, file: options.file }
    const events = (options.events ?? []) as unknown as readonly NamedRow[]
    // Whether a pattern needs a limit is for the runtime to say; here it only has to be a pattern.
    const site = { source, findings, events, bounded: options.bounded ?? (() => null), around: options, root: options.projectDir ?? '' }
    const hooks = memberOf(tree, 'hooks')
    if (kind !== 'plugin') readContent(tree, site)
    else if (nameIn(options.file) !== 'plugin.json' || hooks?.kind === 'object') {
      if (checkTopLevel(tree, site)) readHooks(memberOf(hooks, 'hooks')?.kind === 'object' ? memberOf(hooks, 'hooks') : hooks, site)
    }
  }
  return findings.list.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}

/** The kind of a settings file from its usual name. */
export function kindOf(file: string): SourceKind {
  const path = file.replaceAll('\\', '/')
  if (/(?:^|\/)settings\.local\.json$/.test(path)) return 'local'
  if (/(?:^|\/)managed-settings(?:\.json$|\.d\/)/.test(path)) return 'managed'
  if (/(?:^|\/)(?:hooks\/hooks\.json|\.claude-plugin\/plugin\.json)$/.test(path)) return 'plugin'
  return 'project'
}
