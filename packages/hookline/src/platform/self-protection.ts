/** Keeps tools from changing what guards the session, on this machine's disk: on unless the user or the policy says otherwise. */
import { delimiter, isAbsolute, join } from 'node:path'
import { guardedPaths } from '../config/guarded-paths.ts'
import type { Places } from '../config/ports.ts'
import type { Snapshot } from '../config/snapshot.ts'
import { type ProtectedGround, refusalOf } from '../permission/protected-call.ts'
import { anyName, type ProtectedPath, ProtectedPaths } from '../permission/protected-paths.ts'
import { onlyReads } from '../permission/reading-tools.ts'
import { logPlace } from './log-names.ts'
import { homeFolder, stateFolder } from './places.ts'
import { type Moment, momentOf, realPathOf } from './real-path.ts'

/** What the guard is told at the start. */
export interface SelfProtection {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly places: Places
  /** The settings in force. */
  readonly snapshot: () => Snapshot
  /** The id under which the guard can be switched off like a hook. */
  readonly id: string
  /** Where the audit log is written, when there is one. */
  readonly log?: string
}

type Input = Readonly<Record<string, unknown>>

/** Makes the guard of one settings folder. Nothing is looked up before the first tool call that could matter. */
export function createSelfProtection({ env, places, snapshot, id, log }: SelfProtection): { readonly on: boolean; refuses(input: Input): string | undefined } {
  const { projectDir } = places
  const home = homeFolder(env)
  const kept = {
    places,
    home,
    state: stateFolder(env),
    programs: (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder)),
    log: log === undefined ? [] : logPaths(log),
  }
  const variable = (name: string) => (name === 'CLAUDE_PROJECT_DIR' ? projectDir : env[name])
  let known: { readonly of: Snapshot; readonly ground: ProtectedGround } | undefined
  let moment: Moment | undefined
  const now = () => {
    moment ??= momentOf()
    return moment
  }
  const disk: Moment = { realPath: (path) => now().realPath(path), twin: (path, others) => now().twin(path, others) }
  const ground = () => {
    const settings = snapshot()
    if (known?.of !== settings) {
      const paths = new ProtectedPaths(guardedPaths(settings, kept), { projectDir, home, realPath: realPathOf })
      known = { of: settings, ground: { paths, home, variable, ...disk } }
    }
    return known.ground
  }
  return {
    get on() {
      const { policy } = snapshot()
      return policy.selfProtection !== false && !policy.disabledHooks.includes(id)
    },
    refuses({ tool_name: tool, tool_input: input, cwd }) {
      // Which paths are protected is found out for a call that may change one.
      if (typeof tool !== 'string' || onlyReads(tool) || typeof input !== 'object' || input === null) return undefined
      moment = undefined
      try {
        const call = { tool, input: input as Record<string, unknown>, cwd: typeof cwd === 'string' && cwd !== '' ? cwd : projectDir }
        return refusalOf(call, ground())
      } catch (error) {
        return `Self-protection could not judge this call, so it does not run: ${error instanceof Error ? error.message : String(error)}`
      }
    },
  }
}

function logPaths(path: string): ProtectedPath[] {
  const { folder, only } = logPlace(path)
  const how = 'It is only ever added to, by Hookline itself.'
  return only === undefined
    ? [{ path: folder, folder: true, what: 'the audit log', how }]
    : [{ path: join(folder, `${only}.${anyName}`), what: 'the audit log', how }]
}
