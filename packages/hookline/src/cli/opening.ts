/** Opens the Hookline that a command works on: which folder, which further settings, who is trusted. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Diagnostic, type SourceKind, validateSettings } from '../index.ts'
import { createHookline, type Hookline, sourcesOf, trustStateOf } from '../node.ts'
import { Failure } from './failure.ts'
import type { GlobalOptions } from './flags.ts'
import { folderOf } from './folder.ts'

/** What a command may add. */
export interface OpeningOptions {
  readonly signal?: AbortSignal
  readonly sessionId?: string
  /** `keep`: settings of the command line may be broken, the caller reports them. Default: they are refused. */
  readonly broken?: 'refuse' | 'keep'
  readonly sources?: readonly SourceKind[]
  readonly onNotice?: (notice: Diagnostic) => void
  /** Keep the record of what ran; `HOOKLINE_AUDIT=off` in the environment leaves it out. */
  readonly audit?: boolean
}

/**
 * Reads the settings and compiles the hooks; starts nothing. Nobody is asked for trust here: what the folder brings
 * runs when it was accepted before (`hookline trust`), or with `--trust` (design decision 7).
 * @throws Failure when an option names something that is not there.
 */
export async function openHookline(
  options: GlobalOptions,
  { signal, sessionId, broken = 'refuse', sources, onNotice, audit = false }: OpeningOptions = {},
): Promise<Hookline> {
  const settings: (string | object)[] = (options.settings ?? []).map(settingsSource)
  if (!options.hooks) settings.push({ disableAllHooks: true })
  const digest = digestOf(options)
  const hookline = await createHookline({
    cwd: folderOf(options),
    settings,
    interactive: false,
    // A command ends with its event: nothing is worth starting ahead of it.
    pool: 'off',
    trust: options.trust && digest === undefined ? 'implicit' : 'pinned',
    ...(signal === undefined ? {} : { signal }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(sources === undefined ? {} : { sources }),
    ...(onNotice === undefined ? {} : { onNotice }),
    // Runs that belong to no session share one chain, not a file each.
    ...(audit && process.env['HOOKLINE_AUDIT'] !== 'off' ? { audit: { session: 'command-line' } } : {}),
  })
  if (digest !== undefined && hookline.trust.pending[0]?.digest === digest) await hookline.trust.answer(digest, 'once')
  if (broken === 'refuse') await refuseBrokenSettings(hookline)
  return hookline
}

/** The digest that `--trust=DIGEST` vouches for: what was reviewed, and nothing else. */
function digestOf({ trustDigest }: GlobalOptions): string | undefined {
  if (trustDigest === undefined || /^[0-9a-f]{64}$/i.test(trustDigest)) return trustDigest?.toLowerCase()
  throw new Failure('usage', `--trust: "${trustDigest}" is no digest.`, {
    hint: 'Give the 64 characters that `hookline trust status` prints, or --trust alone.',
  })
}

/** What the note about hooks that were left out says of `--trust=DIGEST`. */
export function digests(hookline: Hookline, { trustDigest }: GlobalOptions): { given?: string; digest?: string } {
  const digest = trustDigest === undefined ? undefined : trustStateOf(hookline)?.digest
  return trustDigest === undefined || digest === undefined ? {} : { given: trustDigest, digest }
}

/** A file as an absolute path, or JSON as it was typed. */
function settingsSource(given: string): string {
  if (given.trimStart().startsWith('{')) return readable(given)
  const file = resolve(given)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new Failure('no-such-file', `--settings: there is no file ${file}.`, { hint: 'Give a settings file, or settings as JSON in single quotes.' })
  if (stat.isDirectory()) throw new Failure('not-a-file', `--settings: ${file} is a folder.`, { hint: 'Give the file, for example .claude/settings.json.' })
  return file
}

/** The text, when it can be read at all: what is wrong in it is named as a place in the option. */
function readable(text: string): string {
  const found = validateSettings(text, { file: '--settings', kind: 'session' }).find(({ code }) => code === 'invalid-json')
  if (found === undefined) return text
  throw new Failure('broken-settings', `${found.message}.`, {
    hint: 'Give settings as JSON in single quotes, or a file.',
    file: '--settings',
    ...(found.line === undefined ? {} : { line: found.line }),
    ...(found.column === undefined ? {} : { column: found.column }),
  })
}

/** Settings that were named on the command line and do not parse are a mistake of that line: nothing is run half-configured. */
async function refuseBrokenSettings(hookline: Hookline): Promise<void> {
  const broken = sourcesOf(hookline).find((source) => source.kind === 'session' && source.state === 'broken')
  if (broken === undefined) return
  const found = hookline.diagnostics.find((one) => one.severity === 'error' && one.file === broken.file)
  await hookline.close()
  throw new Failure('broken-settings', `--settings: ${found?.message ?? 'the settings cannot be read'}.`.replace(/\.\.$/, '.'), {
    hint: found?.hint ?? 'Put it right, or leave --settings out.',
    ...(found?.file === undefined ? {} : { file: found.file }),
    ...(found?.line === undefined ? {} : { line: found.line }),
    ...(found?.column === undefined ? {} : { column: found.column }),
  })
}
