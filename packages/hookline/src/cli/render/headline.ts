/** What was decided, by whom and why, in one line. */
import { events, type NamedRow, type Verdict } from '../../index.ts'
import { runWords } from './ending.ts'
import { goOn, noHookRan } from './go-on.ts'
import type { Paint } from './paint.ts'
import { hookName, type Viewpoint } from './place.ts'
import { count, indented, shown, shownLine } from './shown.ts'

/** What becomes of the call with the settings' rules and mode, nobody asked. */
export interface Resolved {
  readonly behavior: string
  readonly cause: string
  readonly reason?: string
}

/** How to show a verdict. */
export interface VerdictView extends Viewpoint {
  readonly paint: Paint
  readonly verbose: boolean
  readonly resolved?: Resolved
}

/** The verdict in one line. */
export function headline(verdict: Verdict, view: VerdictView): string {
  const { paint, resolved } = view
  const stopped = verdict.stop === undefined ? '' : `\n${paint.yellow('stopped')} by ${names([verdict.stop.by], verdict, view)}${because(verdict.stop.reason)}`
  const decided = permissionLine(verdict, view) ?? blockLine(verdict, view)
  if (decided !== undefined) return `${decided}${stopped}`
  if (stopped !== '') return stopped.slice(1)
  const mode = resolved !== undefined && resolved.cause !== 'no-opinion' ? ` (${resolved.behavior} by ${resolved.cause})` : ''
  return goOn(`${nothingSaid(verdict)}${mode}`, paint)
}

function nothingSaid({ event, hooks }: Verdict): string {
  const ran = hooks.filter((hook) => hook.status === 'ran')
  if (ran.length === 0) return noHookRan(event, hooks.length)
  const tally = (outcome: (typeof ran)[number]['outcome'], word: string) => {
    const number = ran.filter((hook) => hook.outcome === outcome).length
    return number === 0 ? [] : [`${number} ${word}`]
  }
  const noted = [...tally('nonBlockingError', 'failed'), ...tally('cancelled', 'ended early'), ...tally('blocking', 'gave feedback')]
  return [`${count(ran.length, 'hook')} ran`, ...(noted.length === 0 ? ['none objects'] : noted)].join(', ')
}

function permissionLine(verdict: Verdict, view: VerdictView): string | undefined {
  if (!('permission' in verdict)) return undefined
  const { paint, resolved } = view
  const { behavior, by, reason = '' } = verdict.permission
  const who = names(by, verdict, view)
  if (behavior === 'deny') return `${paint.red('denied')} by ${who}${because(reason)}`
  if (resolved?.behavior === 'deny') {
    return `${paint.red('denied')}${deniedBeside(who, { ...resolved, reason: resolved.reason ?? reason })}`
  }
  if (behavior === 'defer') return `${paint.yellow('deferred')} by ${who}${because(reason)}`
  if (behavior === 'ask') return `${paint.yellow('ask')}: ${who} wants a person to decide${because(reason)}`
  if (behavior === 'allow') return `${paint.green('allowed')} by ${who}${because(reason)}`
  return undefined
}

/** A denial that is not the hooks' own: a rule, the mode, or a question that nobody answers. */
function deniedBeside(who: string, { cause, reason }: { cause: string; reason: string }): string {
  if (cause === 'nobody-to-ask') return `, with nobody to ask${who === '' ? because(reason) : `: ${who} asks${because(reason)}`}`
  const own = /^denied by (.+)$/is.exec(reason)?.[1]
  if (cause === 'rule' && own !== undefined) return ` by ${indented(shown(own), 2)}`
  return ` by ${cause === 'rule' ? 'a permission rule' : cause === 'mode' ? 'the permission mode' : cause}${because(reason)}`
}

const blockWords: Readonly<Record<NonNullable<NamedRow['onBlock']>, string>> = {
  refuse: 'blocked by',
  feedback: 'feedback from',
  resume: 'kept going by',
  end: 'ended by',
  decline: 'declined by',
  fail: 'failed by',
}

function blockLine(verdict: Verdict, view: VerdictView): string | undefined {
  const blocks = 'blocks' in verdict ? verdict.blocks : []
  if (blocks.length === 0 && !verdict.blocked) return undefined
  const row = (events as unknown as Record<string, NamedRow>)[verdict.event]
  const words = blockWords[row?.onBlock ?? 'refuse']
  const who = names([...new Set(blocks.map((block) => block.by))], verdict, view)
  const reasons = blocks.map((block) => block.reason).filter((reason) => reason !== '')
  return `${view.paint.red(who === '' ? words.replace(/ \w+$/, '') : words)}${who === '' ? '' : ` ${who}`}${because(reasons.join('\n'))}`
}

/** The hooks behind an opinion, with how they ended. */
function names(by: readonly string[], verdict: Verdict, view: VerdictView): string {
  return by
    .map((id) => {
      const hook = verdict.hooks.find((one) => one.id === id)
      return hook?.status === 'ran' ? `${hookName(hook, view)} (${runWords(hook)})` : shownLine(id)
    })
    .join(', ')
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${indented(shown(reason), 2)}`
}
