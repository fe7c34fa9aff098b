/** The composition root for Node: the engine wired to settings files, processes and this machine. */

import { type LoadRequest, loadSnapshot } from './config/load.ts'
import { trustBefore } from './config/loaded-source.ts'
import type { Snapshot, SourceState } from './config/snapshot.ts'
import { checkOptions } from './engine/check-options.ts'
import { guardInfo } from './engine/guard.ts'
import { HooklineScope } from './engine/hookline.ts'
import type { EngineOptions } from './engine/options.ts'
import { ScopeCore } from './engine/scope.ts'
import type { Hookline, Scope } from './engine/surface.ts'
import { type DeskOptions, TrustDesk, type TrustState } from './engine/trust-desk.ts'
import { HooklineError } from './errors.ts'
import { createCallbackHandler } from './handlers/callback.ts'
import { createFunctionHandler } from './handlers/function.ts'
import { lateHandler } from './handlers/late.ts'
import { modelRunners } from './node/model-runners.ts'
import { planPool } from './node/pool-plan.ts'
import { resolveWith } from './permission/resolve.ts'
import { createEnvFiles } from './platform/env-file.ts'
import { budgetOf, stopBlockCapOf } from './platform/env-limits.ts'
import { firmPath } from './platform/firm-path.ts'
import { type AuditOptions, openLogSeam } from './platform/log-seam.ts'
import { findPlaces, homeFolder, stateFolder } from './platform/places.ts'
import { nodePorts } from './platform/ports.ts'
import { realPathOf } from './platform/real-path.ts'
import { createSelfProtection } from './platform/self-protection.ts'
import { createSpill } from './platform/spill.ts'
import { createTrustKeeper } from './platform/trust-keeper.ts'
import { guardScripts } from './platform/trust-runner.ts'
import { nodeScripts } from './platform/trust-scripts.ts'
import { ScriptStage } from './platform/trust-stage.ts'
import { watchFiles } from './platform/watch.ts'
import type { PoolMode } from './process/backend.ts'
import { sandboxFault } from './process/sandbox-tools.ts'
import type { Undo } from './protocol/answering.ts'
import type { Diagnostic } from './protocol/diagnostic.ts'
import type { Verdict } from './protocol/event-types.ts'
import type { SourceKind } from './protocol/hook.ts'
import type { Cause, PermissionMode } from './protocol/permission.ts'
import type { AskTrust, TrustMode } from './protocol/ports.ts'
import type { HandlerRunner } from './protocol/runner.ts'
import type { Behavior } from './protocol/verdict-parts.ts'
import { assemble } from './station/assemble.ts'

/** What `createHookline` takes beside the engine's options (contract §2). */
export interface HooklineOptions extends EngineOptions {
  /** Which places are read; default all but `session`. */
  sources?: readonly SourceKind[]
  /** More settings: files, inline JSON or objects, source kind `session`. */
  settings?: readonly (string | object)[]
  /** Folders of plugins, beside those that settings switch on. */
  pluginDirs?: readonly string[]
  /** Look at the settings files and reload when they change; default false. */
  watch?: boolean
  /** What hooks inherit; default `process.env`. */
  env?: Record<string, string | undefined>
  /**
   * When the shell pool starts, which runs command hooks fast however large this process is (Linux): `eager`, the default, with a Hookline that
   * has such hooks; `lazy`, behind the first one that runs; or `off`, also by HOOKLINE_POOL=0 in `env`. Results are the same.
   */
  pool?: PoolMode
  /** How many commands run at once, and how many more in the background; default 64. The others wait, and their time does not run. */
  concurrency?: number
  /** The kept record; default false. With `auditRequired` in user or managed settings it is on whatever stands here. */
  audit?: false | AuditOptions
}

/**
 * Creates a Hookline for one settings folder: reads the settings, compiles the hooks, checks the policy.
 * @throws HooklineError `policy-unreadable` when a managed policy cannot be relied on, `invalid-option`.
 */
export async function createHookline(options: HooklineOptions = {}): Promise<Hookline> {
  checkOptions(options)
  const env = options.env ?? process.env
  const { projectDir } = findPlaces({ cwd: options.cwd ?? process.cwd(), env })
  const ports = nodePorts({ env })
  const request = requestOf(options, { env, projectDir })
  const desk = trustDesk(options, { env, projectDir, onAnswer: (moment) => log.answered(moment) })
  const snapshot = await desk.admit(await loadSnapshot(request, ports))
  const envFiles = createEnvFiles(stateFolder(env, 'env'))
  const spill = createSpill(stateFolder(env, 'context'))
  const stage = new ScriptStage(stateFolder(env, 'trust-run'))
  const guard = {
    scriptsOf: desk.scriptsOf,
    stage,
    projectDir,
    changed: () => void desk.recheck().catch(() => undefined),
    placed: trustMode(options) === 'implicit' ? undefined : firmPath(env, projectDir),
  }
  const closers: (() => unknown)[] = [() => envFiles.clear(), () => stage.clear()]
  const log = openLogSeam({
    audit: options.audit,
    named: options.sessionId !== undefined,
    folder: stateFolder(env, 'log'),
    first: snapshot,
    snapshot: () => hookline.snapshot,
    sessionId: () => hookline.sessionId,
    onWarning: (notice) => hookline.engine.notice(notice),
    onDemand: (commit) => hookline.engine.keepRecords(commit),
  })
  const { pool, expected } = planPool(options.pool, { env, snapshot })
  const guarded = [stateFolder(env), ...(options.audit && options.audit.path !== undefined ? [options.audit.path] : [])]
  const loadCommands = async () =>
    (await import('./handlers/command.ts')).createCommandHandler({ env, startDir: projectDir, pool, expected, guarded, limit: options.concurrency })
  const commands = lateHandler('command', loadCommands, { supports: ['persistent'], sandboxFault })
  const thinking = modelRunners(options, { snapshot: () => hookline.snapshot, home: homeFolder(env) })
  const hookline: HooklineScope = assemble(
    { ...options, cwd: projectDir },
    {
      snapshot,
      projectDir,
      runners: [commands, ...handlers(env, () => hookline.snapshot.policy), ...thinking].map((runner) => guardScripts(runner, guard)),
      desk,
      load: async (last: Snapshot) => {
        const next = await desk.admit(await loadSnapshot({ ...request, last: desk.original(last) }, ports))
        log.loaded(next)
        return next
      },
      bounded: ports.bounded,
      spill: (text) => spill.store(text),
      envFile: (sessionId) => envFiles.of(sessionId),
      home: homeFolder(env),
      realPath: realPathOf,
      guard: createSelfProtection({
        env,
        places: request.places,
        snapshot: () => hookline.snapshot,
        id: guardInfo.id,
        ...(options.audit && options.audit.path !== undefined ? { log: options.audit.path } : {}),
      }),
      stopBlockCap: stopBlockCapOf(env),
      ...budgetOf(env),
      ...(log.commit === undefined ? {} : { commit: log.commit }),
      record: log.record,
      onClose: () => Promise.all(closers.map((close) => close())),
    },
  )
  // While this process is small.
  if (pool === 'eager') await commands.ahead()
  closers.push(() => log.close())
  for (const found of snapshot.diagnostics) if (found.severity === 'error') hookline.engine.notice(found)
  if (options.watch === true) closers.push(watchSettings(hookline))
  return hookline as unknown as Hookline
}

/** The handlers of this runtime beside that of commands. What starts processes or opens connections is loaded when it is first needed. */
function handlers(env: Record<string, string | undefined>, policy: () => Snapshot['policy']): HandlerRunner[] {
  return [
    createCallbackHandler(),
    createFunctionHandler(),
    lateHandler('module', async () => (await import('./handlers/module.ts')).createModuleHandler({ env })),
    lateHandler('http', async () => (await import('./handlers/http/http.ts')).createHttpHandler({ env, policy })),
  ]
}

function requestOf(options: HooklineOptions, { env, projectDir }: { env: Record<string, string | undefined>; projectDir: string }): LoadRequest {
  return {
    places: findPlaces({ cwd: projectDir, env }),
    ...(options.sources === undefined ? {} : { kinds: options.sources }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.managed === undefined ? {} : { managed: options.managed }),
    ...(options.pluginDirs === undefined ? {} : { pluginDirs: options.pluginDirs }),
    ...(options.events === undefined ? {} : { events: options.events }),
    // The host vouches for what it loads: nothing of it waits for anybody.
    ...(trustMode(options) === 'implicit' ? { trustOf: (kind: SourceKind) => (trustBefore(kind) === 'untrusted' ? 'trusted' : 'not-needed') } : {}),
  }
}

interface DeskSetting extends Pick<DeskOptions, 'projectDir' | 'onAnswer'> {
  readonly env: Record<string, string | undefined>
}

function trustDesk(options: HooklineOptions, { env, projectDir, ...rest }: DeskSetting): TrustDesk {
  const keeper = createTrustKeeper({ projectDir, home: homeFolder(env), store: stateFolder(env, 'trust') })
  return new TrustDesk({ trust: trustMode(options), keeper, scripts: nodeScripts, projectDir, ...rest })
}

function trustMode({ trust, interactive }: HooklineOptions): TrustMode | AskTrust {
  return trust ?? (interactive === true ? 'ask' : 'implicit')
}

/** Reloads when a settings file changes; a reload that fails is told, and the settings in force stay. */
function watchSettings(hookline: HooklineScope): () => void {
  return watchFiles(hookline.snapshot.watched ?? [], () => {
    hookline.reload().catch((error: unknown) => {
      hookline.engine.notice({
        severity: 'warning',
        code: 'reload-failed',
        message: `The settings changed but could not be loaded: ${error instanceof Error ? error.message : String(error)} The ones in force stay.`,
      })
    })
  })
}

/** Where the folder of a Hookline stands: what it brings, what changed, and whether it is accepted. `undefined` when its host vouches for it. */
export function trustStateOf(hookline: Hookline): TrustState | undefined {
  return scopeOf(hookline).engine.parts.desk?.state
}

/** The places that were looked at, with what was found there. */
export function sourcesOf(hookline: Hookline): readonly SourceState[] {
  return scopeOf(hookline).snapshot.sources
}

/** What the settings' rules and mode make of a verdict, with nobody asked: the `resolved` part of `fire --json`. */
export async function resolveFor(hookline: Hookline, verdict: Verdict<'PreToolUse'>): Promise<{ behavior: Behavior; cause: Cause; reason?: string }> {
  const { snapshot, engine } = scopeOf(hookline)
  const mode = snapshot.mode as PermissionMode | undefined
  const { home, realPath } = engine.parts
  const { behavior, cause, reason } = await resolveWith({
    verdict,
    lists: snapshot.rules,
    unread: snapshot.unread,
    permissions: mode === undefined ? {} : { mode },
    ...(home === undefined ? {} : { home }),
    ...(realPath === undefined ? {} : { realPath }),
  })
  return { behavior, cause, ...(reason === undefined ? {} : { reason }) }
}

/** How a file's front matter is to be read. */
export interface FrontMatterUse {
  /** Default: a skill. An agent's own stop is the stop of a subagent. */
  of?: 'skill' | 'agent'
  /** The file came with a plugin: an agent's hooks are not read then. */
  fromPlugin?: boolean
}

/**
 * Attaches the hooks in the front matter of a skill or agent to a scope, for as long as the skill or agent is in use (protocol §5.2):
 * a skill's to the session when it is invoked, an agent's to its own scope. The undo takes them back; `diagnostics` says what is wrong with the file.
 * @throws HooklineError `invalid-option` when the file cannot be read.
 */
export async function attachFrontMatter(
  scope: Scope,
  file: string,
  { of = 'skill', fromPlugin = false }: FrontMatterUse = {},
): Promise<Undo & { diagnostics: readonly Diagnostic[] }> {
  if (!(scope instanceof ScopeCore)) throw new HooklineError('invalid-option', 'attachFrontMatter: give a scope that createHookline made.')
  const { files, bounded } = nodePorts()
  const [read, { readFrontMatter }] = await Promise.all([files.read(file, longestFrontMatter), import('./config/front-matter.ts')])
  if (read.kind !== 'text')
    throw new HooklineError('invalid-option', `attachFrontMatter: ${file} cannot be read (${read.kind}).`, {
      file,
      hint: 'Give the path of a SKILL.md or of an agent file.',
    })
  const { engine } = scope
  const id = `session:front-matter-${engine.nextCodeHook()}`
  const inFolder = read.realPath.startsWith(`${scope.projectDir}/`)
  const { hooks, diagnostics } = readFrontMatter(read.text, file, {
    of,
    fromPlugin,
    id,
    bounded,
    policy: engine.snapshot.policy,
    trust: inFolder ? 'untrusted' : 'not-needed',
  })
  return Object.assign(scope.attached.addCompiled(hooks), { diagnostics })
}

const longestFrontMatter = 1_048_576

function scopeOf(hookline: Hookline): HooklineScope {
  if (hookline instanceof HooklineScope) return hookline
  throw new HooklineError('invalid-option', 'Give the Hookline that createHookline made.')
}

export { chainKeys } from './audit/chain.ts'
export { type AuditSink, auditCommit, auditMoments, auditTrace } from './audit/commit.ts'
export { encodeLine } from './audit/encode.ts'
export type { HookNote } from './audit/hook-note.ts'
export { policyEntry, sessionEntry, trustEntry } from './audit/moments.ts'
export { type AuditQuery, readMoment } from './audit/query.ts'
export type { AuditEntry, AuditRecord } from './audit/record.ts'
export { tableHead, tableRow } from './audit/table.ts'
export type { SourceState } from './config/snapshot.ts'
export type { EngineOptions } from './engine/options.ts'
export type { Hookline, Scope, Session } from './engine/surface.ts'
export type { TrustState } from './engine/trust-desk.ts'
export { judgeUrl, type UrlCircumstances } from './handlers/http/try-url.ts'
export { provideModel } from './node/model-runners.ts'
export { additionalFoldersOf, defaultModeOf, settingsEnvOf } from './node/settings-of.ts'
export { createBoundedRegex } from './platform/bounded-regex.ts'
export { logPlace } from './platform/log-names.ts'
export { followAuditLog, readAuditLog } from './platform/log-reader.ts'
export type { AuditOptions } from './platform/log-seam.ts'
export { type VerifiedChain, verifyAuditLog } from './platform/log-verify.ts'
export { type AuditLog, type AuditLogOptions, openAuditLog } from './platform/log-writer.ts'
export { homeFolder, stateFolder } from './platform/places.ts'
export { type LockOptions, lockTrust, type VerifiedLock, verifyTrust, type WrittenLock } from './platform/trust-lock.ts'
export { countPassedBy, type UntouchedOptions } from './platform/untouched.ts'
export { sandboxFault } from './process/sandbox-tools.ts'
