/** What self-protection keeps tools from changing: settings, scripts of hooks, policy, trust records, the audit log. */
import type { ProtectedPath } from '../permission/protected-paths.ts'
import type { Places } from './ports.ts'
import type { ConfiguredHook, Snapshot } from './snapshot.ts'
import { namedFiles, programsOf } from './trust-named.ts'

/** Where things stand that no snapshot names. */
export interface GuardedPlaces {
  readonly places: Places
  readonly home: string
  /** Where trust records and logs are kept. */
  readonly state: string
  /** Folders in which programs are looked for. */
  readonly programs: readonly string[]
  /** Where the audit log is kept, when that is elsewhere. */
  readonly log: readonly ProtectedPath[]
}

const byCommand = 'If the folder should be trusted, a person says so with "hookline trust" in a terminal of their own.'

/** The paths of one snapshot, whether they are there or not: what is missing could be made. */
export function guardedPaths(snapshot: Snapshot, { places, home, state, programs, log }: GuardedPlaces): ProtectedPath[] {
  const file = (path: string, what: string): ProtectedPath => ({ path, what })
  const own = (path: string): ProtectedPath => ({ path, what: "a settings file of this folder's hooks", command: 'init' })
  return [
    ...[...places.project, ...places.local].map(({ path }) => own(path)),
    ...places.user.map(({ path }) => file(path, "a settings file of the person's own hooks")),
    ...places.managed.flatMap(({ path, root, folder }) => [
      { path: root, folder: true as const, what: 'the policy of this machine', how: 'Whoever administers this machine changes it.' },
      file(path, 'the policy of this machine'),
      file(folder, 'the policy of this machine'),
    ]),
    ...snapshot.sources.flatMap(({ path, kind }) =>
      path === undefined ? [] : [file(path, kind === 'plugin' ? 'the hooks of a plugin' : 'a settings file of hooks')],
    ),
    { path: state, folder: true, what: 'where trust records and the audit log are kept', how: byCommand, command: 'trust' },
    ...log,
    ...snapshot.hooks.flatMap((hook) =>
      scriptsOf(hook, { projectDir: places.projectDir, home }).map((path) => file(path, `a script that the hook ${hook.info.id} runs`)),
    ),
    ...runBy(snapshot).flatMap(([name, id]) =>
      programs.map((folder) => ({ path: `${folder}/${name}`, exact: true as const, what: `where the program ${name} of the hook ${id} is looked for` })),
    ),
  ]
}

/** The names of programs that hooks run, each with one of the hooks. */
function runBy({ hooks }: Snapshot): [name: string, hook: string][] {
  const names = new Map<string, string>()
  for (const hook of hooks) if (hook.fault?.why !== 'invalid') for (const name of programsOf(hook)) if (!names.has(name)) names.set(name, hook.info.id)
  return [...names]
}

/** Files that only a hook would run, though they stand as a plain word behind a runner that is not known. */
const hookFolder = /(?:^|[\\/])(?:\.claude|\.hookline|hooks)[\\/][^\\/]*(?:[\\/][^\\/]*)*\.(?:sh|bash|[cm]?[jt]s|py|rb|pl|php|ps1)$/i

function scriptsOf(hook: ConfiguredHook, { projectDir, home }: { projectDir: string; home: string }): string[] {
  const { spec, fault } = hook
  // What cannot be read runs no script.
  if (fault?.why === 'invalid' || (spec?.type !== 'command' && spec?.type !== 'module')) return []
  const inHome = spec.type === 'command' ? { ...spec, command: spec.command.replace(/(^|[\s"'=:;|&(])~(?=[\\/])/g, `$1${home}`) } : spec
  const named = namedFiles(
    { ...hook, spec: inHome, variables: { ...hook.variables, HOME: home } },
    { projectDir, roots: ['/', ...(/^[A-Za-z]:[\\/]/.exec(projectDir) ?? [])] },
  )
  return named.flatMap(({ path, runs }) => (runs || hookFolder.test(path) ? [path] : []))
}
