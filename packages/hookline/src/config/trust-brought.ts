/** Finds out what a folder brings that needs consent: every hook with its scripts and variables, every rule that permits, folders it opens, a mode. */
import type { HookId } from '../protocol/hook.ts'
import type { TrustItem } from '../protocol/ports.ts'
import { shownPath } from './paths.ts'
import type { ConfiguredHook, Snapshot } from './snapshot.ts'
import { hash } from './trust-hash.ts'
import { envUnit, folderEnv, folderUnit, hookItem, modeUnit, ruleUnit, scriptText, switchUnit } from './trust-items.ts'
import { namedFiles } from './trust-named.ts'
import type { ScriptRead, ScriptsPort } from './trust-ports.ts'
import type { Brought, TrustUnit } from './trust-record.ts'
import { countsAsScript, looksLikeCode, type PinnedScript, type PinnedScripts, seatsFor } from './trust-scripts.ts'

/** What was found, with the scripts of each hook for whoever runs it. */
export interface Found extends Brought {
  readonly scripts: ReadonlyMap<HookId, PinnedScripts>
}

/** What looking takes. */
export interface LookOptions {
  readonly projectDir: string
  readonly scripts: ScriptsPort
}

/** Looks at everything. Each file is read once, however many hooks name it. */
export async function findBrought(snapshot: Snapshot, { projectDir, scripts: port }: LookOptions): Promise<Found> {
  const realDir = (await port.realPath(projectDir)) ?? projectDir
  const reads = new Map<string, Promise<ScriptRead>>()
  const read = (path: string) => {
    const known = reads.get(path) ?? port.read(path)
    reads.set(path, known)
    return known
  }
  const env = folderEnv(snapshot)
  const units: TrustUnit[] = []
  const items: TrustItem[] = []
  const shownScripts = new Set<string>()
  const scripts = new Map<HookId, PinnedScripts>()
  for (const hook of snapshot.hooks) {
    if (hook.info.trust === 'not-needed' || hook.fault?.why === 'invalid') continue
    const root = hook.variables?.['CLAUDE_PLUGIN_ROOT']
    const own = await lookAt(hook, { projectDir, realDir, root, read })
    const definition = hook.info.digest
    const inFolder = hook.info.source.kind !== 'plugin'
    const digest = hash({
      definition,
      ...(root === undefined ? {} : { root }),
      scripts: own.map(({ shown, digest: bytes }) => [shown, bytes ?? 'missing']).sort(),
      ...(inFolder && Object.keys(env).length > 0 ? { env } : {}),
    })
    units.push({ kind: 'hook', digest, definition, hook: hook.info.id })
    if (own.length > 0) scripts.set(hook.info.id, { digest, scripts: own })
    items.push(await hookItem(hook, { snapshot, port, projectDir }))
    for (const { path, shown, digest: bytes } of own) {
      // `bun test` may mean a file that is not there; it counts, and nobody needs to be told.
      if (shownScripts.has(path) || (bytes === undefined && !looksLikeCode(path))) continue
      shownScripts.add(path)
      items.push({ kind: 'script', text: scriptText(await read(path)), hook: hook.info.id, file: shown })
    }
  }
  for (const [name, value] of Object.entries(env)) items.push({ kind: 'env', text: `${name}=${value}` })
  units.push(...envUnit(env))
  const others = [...snapshot.rules.flatMap(ruleUnit), ...(snapshot.folders ?? []).flatMap(folderUnit), ...(snapshot.modes ?? []).flatMap(modeUnit)]
  for (const { unit, item } of [...others, ...switchUnit(snapshot)]) {
    units.push(unit)
    items.push(item)
  }
  return { digest: hash([...new Set(units.map(({ digest }) => digest))].sort()), units, items, scripts }
}

interface Looking {
  readonly projectDir: string
  readonly realDir: string
  readonly root: string | undefined
  readonly read: (path: string) => Promise<ScriptRead>
}

/** The scripts of one hook, as they are now. */
async function lookAt(hook: ConfiguredHook, { projectDir, realDir, root, read }: Looking): Promise<PinnedScript[]> {
  const roots = [...new Set([projectDir, realDir, ...(root === undefined ? [] : [root])])]
  const named = namedFiles(hook, { projectDir, roots })
  const found: PinnedScript[] = []
  const seats = await seatsFor(named, read)
  for (const { path, runs, relative, others } of named) {
    const state = await read(path)
    if (!countsAsScript(path, state, runs)) continue
    // A copy takes the place of the word, so the meaning that is there is the one that runs.
    if (state.kind === 'missing' && others.some((other) => seats.has(other))) continue
    const base = roots.find((folder) => path.startsWith(`${folder.replace(/[\\/]+$/, '')}/`) || path.startsWith(`${folder}\\`)) ?? projectDir
    found.push({
      path,
      shown: base === root && base !== projectDir ? `\${CLAUDE_PLUGIN_ROOT}/${shownPath(base, path)}` : shownPath(base, path),
      root: base,
      relative,
      ...(state.kind === 'file' ? { digest: state.digest } : {}),
      ...(seats.get(path) === undefined ? {} : { seats: seats.get(path) }),
    } as PinnedScript)
  }
  return found
}
