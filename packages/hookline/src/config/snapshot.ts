/** The frozen outcome of loading: every hook in configuration order, compiled, with the source it came from and the policy above it. */
import type { Rule } from '../permission/rule.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HandlerType } from '../protocol/handler-spec.ts'
import type { HookInfo, Skipped, Source } from '../protocol/hook.ts'
import type { RunnableHook } from '../protocol/runner.ts'
import type { Matcher } from './matcher.ts'
import type { SandboxFloors } from './sandbox.ts'

/** A hook that selection can judge and a handler can run. */
export interface ConfiguredHook extends RunnableHook {
  readonly type: HandlerType
  readonly event: string
  readonly matcher: Matcher
  /** The parsed `if`; absent when the hook has none, or when it does not parse (then `fault` says so). */
  readonly condition?: Rule
  readonly once: boolean
  /** A failure of this hook counts as a block (design decision 6). */
  readonly failClosed: boolean
  /** In milliseconds. */
  readonly timeoutMs: number
  /** The timeout was written, not defaulted. */
  readonly ownTimeout: boolean
  readonly statusMessage?: string
  readonly background?: 'async' | 'asyncRewake'
  readonly onSuccess?: (report: never) => void
  /** Two hooks with the same key are one (design decision 2); absent: never merged. */
  readonly dedupKey?: string
  /** It asks for a fence that cannot be had, or not be told, and why: it never runs. */
  readonly sandboxFault?: string
  /** Known at load: the hook never runs, and why (`invalid`, `policy`, `disabled`). */
  readonly fault?: Skipped
}

/** A permission rule of a settings file, with its place and the folder that `/path` is relative to. */
export interface ConfiguredRule {
  readonly list: 'deny' | 'ask' | 'allow'
  readonly rule: Rule
  readonly source: Source
  /** The folder that rule paths starting with one slash are relative to. */
  readonly root: string
}

/** What organisations and people forbid, folded over all sources that may say so (design decision 8). */
export interface Policy {
  /** All hooks, all but managed ones, or those that come with the folder are off. */
  readonly disableAllHooks?: 'all' | 'unmanaged' | 'folder'
  readonly allowManagedHooksOnly: boolean
  readonly strictPluginOnly: boolean
  /** Absent: every URL; empty: none. */
  readonly allowedHttpHookUrls?: readonly string[]
  readonly httpHookAllowedEnvVars?: readonly string[]
  readonly allowedHttpOrigins: readonly string[]
  /** Events whose hooks must fail closed; `true` for every event that can. */
  readonly requireFailClosed: readonly string[] | true
  readonly disabledHooks: readonly string[]
  /** The mode `bypassPermissions` is not to be had (`permissions.disableBypassPermissionsMode`). */
  readonly bypassDisabled?: true
  /** How far the processes of hooks are fenced in at least, by kind of source. */
  readonly hookSandbox: SandboxFloors
  /** A decision that cannot be recorded is a refusal. */
  readonly auditRequired?: true
  /** Tools may change what guards the session; absent: they may not. */
  readonly selfProtection?: false
}

/** One place that was looked at, and what was found there. */
export interface SourceState extends Source {
  readonly state: 'loaded' | 'absent' | 'broken' | 'kept-last-good' | 'off-by-policy'
  /** The whole path; `file` is what people are shown. */
  readonly path?: string
  readonly trust?: HookInfo['trust']
}

/** The `env` block of one source, filtered: what trust is asked about, and what its hooks were given. */
export interface ConfiguredEnv {
  readonly source: Source
  readonly values: Readonly<Record<string, string>>
}

/** A permission mode that a source chooses. */
export interface ConfiguredMode {
  readonly mode: string
  readonly source: Source
}

/** A folder beside the project that a source lets the agent work in (`permissions.additionalDirectories`). */
export interface ConfiguredFolder {
  /** As it is written. */
  readonly path: string
  readonly source: Source
}

/** The folder's `disableAllHooks`, and what it switches off beside what the folder brings. */
export interface FolderSwitch {
  readonly source: Source
  /** The fault of the hooks that only this keeps from running. */
  readonly fault: Skipped
}

/** Frozen; replaced as a whole by a reload. */
export interface Snapshot {
  readonly sources: readonly SourceState[]
  /** In configuration order. */
  readonly hooks: readonly ConfiguredHook[]
  readonly rules: readonly ConfiguredRule[]
  /** `permissions.defaultMode` of the strongest source that sets it. */
  readonly mode?: string
  /** Every source's choice of `mode`, weakest first. */
  readonly modes?: readonly ConfiguredMode[]
  readonly policy: Policy
  /** Settings that are there and could not be read, in words: what they forbid is not known, so nothing is permitted without a question. */
  readonly unread?: string
  readonly folderSwitch?: FolderSwitch
  readonly diagnostics: readonly Diagnostic[]
  readonly env?: readonly ConfiguredEnv[]
  readonly folders?: readonly ConfiguredFolder[]
  /** Every settings file that was looked for, there or not: what a watcher watches. */
  readonly watched?: readonly string[]
}
