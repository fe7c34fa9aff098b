/** Makes the entry of a verdict: the decision in one word, who decided, and every hook that ran. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { Block, Elicited, Message, Permission, Stopped } from '../protocol/verdict-parts.ts'
import { leftOut, noteHook, type Reported } from './hook-note.ts'
import { idText } from './ids.ts'
import { keptText } from './mask.ts'
import type { Decision, Ignored, InputNote, VerdictEntry } from './record.ts'

/** A verdict, as far as the log looks at it. */
export interface CommittedVerdict {
  readonly event: string
  readonly callId: string
  readonly sessionId: string
  readonly ms: number
  readonly blocked: boolean
  readonly row: { readonly onBlock?: string }
  readonly hooks: readonly Reported[]
  readonly warnings: readonly Diagnostic[]
  readonly folded: {
    readonly permission?: Permission | undefined
    readonly blocks: readonly Block[]
    readonly stop?: Stopped | undefined
    readonly context: readonly unknown[]
    readonly messages: readonly Message[]
    readonly values: { readonly elicitation?: unknown; readonly worktreePath?: unknown; readonly updatedOutput?: unknown }
  }
}

const reasonLimit = 500

/** What an entry is made from beside the verdict. */
export interface EntrySetting {
  readonly agent?: string | undefined
  /** What the hooks made of the call, where code around them put another verdict in its place. */
  readonly walked?: CommittedVerdict
  input(): InputNote
}

/** The entry; `undefined` when no hook ran and nothing was decided, which is what most calls are. */
export function verdictEntry(verdict: CommittedVerdict, { agent, input, walked }: EntrySetting): VerdictEntry | undefined {
  const { folded } = verdict
  const lost = walked?.hooks.filter((hook) => !verdict.hooks.some((other) => other.id === hook.id)) ?? []
  const hooks = lost.length === 0 ? verdict.hooks : [...lost, ...verdict.hooks]
  const { decision, by, reason, unheeded } = decided(verdict)
  const ignored = unheeded ?? (walked === undefined ? undefined : overruled(decided(walked), decision))
  const ran = hooks.flatMap((hook) => (hook.status === 'ran' ? [hook] : []))
  if (ran.length === 0 && decision === 'none') return undefined
  const cut = new Set(verdict.warnings.flatMap((found) => (found.code === 'output-cut' && found.hook !== undefined ? [found.hook] : [])))
  const notes = ran.map((hook) => noteHook(hook, { cut: cut.has(hook.id), closed: failedClosed(hook, folded.messages) }))
  const closed = ran.flatMap((hook, index) => (notes[index]?.closed ? [hook.id] : []))
  const left = leftOut(hooks)
  const used = Object.keys(folded.values).concat(folded.context.length > 0 ? ['context'] : [])
  return {
    kind: 'verdict',
    session: idText(verdict.sessionId),
    ...(agent === undefined ? {} : { agent: idText(agent) }),
    event: idText(verdict.event),
    call: verdict.callId,
    decision,
    cause:
      decision === 'none'
        ? 'no-opinion'
        : by.length > 0 && by.every((id) => closed.includes(id))
          ? 'fail-closed'
          : by.some((id) => ran.some((hook) => hook.id === id))
            ? 'hook'
            : 'code',
    ...(reason === undefined || reason === '' ? {} : { reason: keptText(reason, reasonLimit) }),
    ...(by.length === 0 ? {} : { by: by.map((id) => idText(id)) }),
    ...(ignored === undefined ? {} : { ignored }),
    ...(used.length === 0 ? {} : { used }),
    ms: Math.round(verdict.ms * 10) / 10,
    input: input(),
    hooks: notes,
    ...(left.length === 0 ? {} : { left }),
  }
}

interface Decided {
  readonly decision: Decision
  readonly by: readonly string[]
  readonly reason?: string | undefined
  /** A block that is not obeyed. */
  readonly unheeded?: Ignored
}

function noteIgnored({ decision, by, reason }: Decided, why?: string): Ignored {
  return {
    decision,
    ...(reason === undefined || reason === '' ? {} : { reason: keptText(reason, reasonLimit) }),
    ...(by.length === 0 ? {} : { by: by.map((id) => idText(id)) }),
    ...(why === undefined ? {} : { why }),
  }
}

/** What hooks decided and something else was done. */
function overruled(walked: Decided, decision: Decision): Ignored | undefined {
  return walked.decision === decision || walked.decision === 'none' ? undefined : noteIgnored(walked)
}

function decided({ folded, blocked, row, hooks, warnings }: CommittedVerdict): Decided {
  const { permission, blocks, stop, values } = folded
  // Where a block ends the turn the fold has a stop as well; what was said is still the block.
  const said = stop !== undefined && !blocks.some((block) => block.by === stop.by && block.reason === stop.reason)
  if (stop !== undefined && said) return { decision: 'stop', by: [stop.by], reason: stop.reason }
  if (permission !== undefined && permission.behavior !== 'passthrough') return { decision: permission.behavior, by: permission.by, reason: permission.reason }
  const blockers = { by: blocks.map((block) => block.by), reason: blocks.map((block) => block.reason).join('\n') }
  const elicited = values.elicitation as Elicited | undefined
  if (elicited !== undefined)
    return elicited.action === 'accept'
      ? { decision: 'accept', by: users('elicitation', hooks) }
      : { decision: 'decline', ...(blocks.length > 0 ? blockers : { by: users('elicitation', hooks) }) }
  if (blocks.length > 0 && !blocked && unheeding.some((code) => warnings.some((found) => found.code === code)))
    return {
      decision: 'none',
      by: [],
      unheeded: noteIgnored(
        { decision: 'block', ...blockers },
        unheeding.find((code) => warnings.some((found) => found.code === code)),
      ),
    }
  if (blocks.length > 0) return { decision: row.onBlock === 'decline' ? 'decline' : row.onBlock === 'fail' ? 'fail' : 'block', ...blockers }
  if (values.worktreePath !== undefined) return { decision: 'path', by: users('worktreePath', hooks) }
  if (values.updatedOutput !== undefined) return { decision: 'replace', by: users('updatedOutput', hooks) }
  return blocked ? { decision: 'block', by: [] } : { decision: 'none', by: [] }
}

/** Warnings that say that a block is not obeyed. */
const unheeding = ['stop-block-cap', 'block-ignored']

/** The hooks whose answer has this key. */
function users(key: string, hooks: readonly Reported[]): string[] {
  return hooks.flatMap((hook) => (hook.status === 'ran' && hook.answer !== undefined && key in hook.answer ? [hook.id] : []))
}

/** The engine's notice of a failure is then the hook's own reason. */
function failedClosed(hook: Extract<Reported, { status: 'ran' }>, messages: readonly Message[]): boolean {
  const answer = (hook.answer ?? {}) as { reason?: string; block?: string }
  return messages.some(({ by, level, text }) => by === hook.id && level === 'error' && (answer.reason === text || answer.block === text))
}
