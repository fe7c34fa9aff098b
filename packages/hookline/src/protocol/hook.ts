/** The one hook record that listings, explanations, verdicts, trace and log show. */
import type { Diagnostic } from './diagnostic.ts'
import type { Ending, Outcome } from './ending.ts'
import type { SandboxMode } from './sandbox.ts'

/** `${source.id}:${event}:${group}:${index}`, for example "project:PreToolUse:0:1"; unique; parse from the right. */
export type HookId = string

/** Where a hook was written. Configuration order is the order of this list, save that managed is last (design decision 1). */
export type SourceKind = 'builtin' | 'plugin' | 'user' | 'project' | 'local' | 'session' | 'managed'

/** One place that hooks came from. The first file of a kind has the kind as its id, later ones `project~2`; sessions count `session:1`. */
export interface Source {
  id: string
  kind: SourceKind
  file?: string
  line?: number
  column?: number
}

/** One configured reaction, as every reader of Hookline sees it. `timeout` is in seconds. */
export interface HookInfo {
  id: HookId
  event: string
  type: string
  label: string
  source: Source
  matcher?: string
  if?: string
  timeout: number
  onFailure?: 'block'
  /** How far its process is fenced in; absent: not at all. */
  sandbox?: Exclude<SandboxMode, 'none'>
  flags: readonly ('async' | 'asyncRewake' | 'once' | 'persistent')[]
  digest: string
  trust: 'trusted' | 'untrusted' | 'changed' | 'not-needed'
}

/** Why a hook did not run. */
export type Why =
  | 'invalid'
  | 'policy'
  | 'untrusted'
  | 'matcher'
  | 'condition-not-applicable'
  | 'condition'
  | 'once-spent'
  | 'disabled'
  | 'handler-not-allowed'
  | 'handler-not-available'
  | 'sandbox-unavailable'
  | 'duplicate'

/** Why a hook did not run, in words a person can act on. */
export interface Skipped {
  why: Why
  detail: string
}

/** One question that selection asked about a hook. Later checks are absent after the first "no". */
export interface Check {
  check: Why
  result: 'yes' | 'no' | 'cannot-tell'
  detail: string
}

/** What became of one hook at one event. `ms` is wall time in milliseconds. */
export type HookReport = HookInfo &
  ({ status: 'skipped'; skipped: Skipped } | { status: 'ran'; ending: Ending; outcome: Outcome; answer?: object; stdout?: string; stderr?: string; ms: number })

/** What `explain` gives: every hook of the event, with the checks in order; nothing was run. */
export interface Explanation {
  version: 1
  kind: 'explanation'
  event: string
  match?: { field: string; value: string }
  hooks: readonly (HookInfo & { status: 'would-run' | 'skipped'; checks: readonly Check[]; skipped?: Skipped })[]
  warnings: readonly Diagnostic[]
}
