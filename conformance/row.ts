/** One observed session: what it was given and what was seen. The rows are kept as JSON lines, one file per theme. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Block = { text: string } | { tool: string; input: Record<string, unknown> }
/** One answer of the scripted model. */
export type Turn =
  | string
  | Block[]
  | { blocks?: Block[]; text?: string; stopReason?: string; inputTokens?: number; delayMs?: number; status?: number; errorType?: string; message?: string }

export interface Route {
  name: string
  when: { first?: string; last?: string; tools?: 'none' | 'some' }
  turns: Turn[]
}

type Settings = Record<string, unknown>
export const places = ['user', 'project', 'local', 'managed', 'flag'] as const

export interface Case {
  prompt?: string
  runs?: { prompt: string; flags: string[] }[]
  stdin?: ({ type: string; message: unknown } | { waitMs: number })[]
  closeAfterMs?: number
  settings?: Settings | Partial<Record<(typeof places)[number], Settings>>
  files?: Record<string, string>
  homeFiles?: Record<string, string>
  flags?: string[]
  env?: Record<string, string>
  modelTurns: Turn[]
  routes?: Route[]
  http?: Record<string, HttpAnswer>
  git?: true | 'commit'
  trusted?: boolean
  cwd?: string
  readAfter?: string[]
  settleMs?: number
  limitMs?: number
  outputFormat?: string
  keepOrder?: boolean
}

export interface HttpAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  delayMs?: number
  hang?: boolean
}

export interface SeenHook {
  tag: string
  event?: string
  input?: Record<string, unknown>
}

export interface SeenResult {
  subtype: string
  error: boolean
  reason?: string
  stop?: string | null
  text: string
}

export interface Observed {
  hooks: SeenHook[]
  fired: string[]
  hookOutcomes: string[]
  toolResults: { for: string; error: boolean; text: string }[]
  denied: string[]
  textToModel: string[]
  requests: string[]
  noVerdictNotices: number
  userNotices: string[]
  final: { exit: number; results: SeenResult[]; stderr?: string }[]
  http?: string[]
  after?: Record<string, string | { missing: string }>
}

export interface Row {
  theme: string
  id: string
  title: string
  case: Case
  observed: Observed
  unstable?: boolean
}

/** Every row of the folder, in the order of its files. */
export function readRows(folder: string): Row[] {
  const rows: Row[] = []
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.jsonl')) continue
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line !== '') rows.push({ theme: file.slice(0, -6), ...JSON.parse(line) })
    }
  }
  return rows
}
