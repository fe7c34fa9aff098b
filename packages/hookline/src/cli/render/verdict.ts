/** A verdict for people: a line per hook that ran or failed, what was decided and by whom, and the texts for model and person. */
import type { HookReport, Verdict } from '../../index.ts'
import { events, type NamedRow } from '../../index.ts'
import { endingWords, time } from './ending.ts'
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

type Ran = Extract<HookReport, { status: 'ran' }>

/** The whole text. */
export function verdictText(verdict: Verdict, view: VerdictView): string {
  const lines = verdict.hooks.flatMap((hook) => hookLines(hook, view))
  lines.push(headline(verdict, view), ...extras(verdict))
  if (verdict.toModel !== '') lines.push(`to the model: ${indented(shown(verdict.toModel), 14)}`)
  if (verdict.toUser !== '') lines.push(`to the user:  ${indented(shown(verdict.toUser), 14)}`)
  for (const warning of verdict.warnings) lines.push(`${view.paint.yellow(warning.severity)} ${shownLine(warning.code)}: ${shownLine(warning.message, 400)}`)
  return lines.join('\n')
}

function hookLines(hook: HookReport, view: VerdictView): string[] {
  const { paint, verbose } = view
  if (hook.status === 'skipped') {
    return verbose ? [`${paint.dim('skipped')}  ${hookName(hook, view)}: ${shownLine(`${hook.skipped.why}, ${hook.skipped.detail}`)}`] : []
  }
  const lines = [`${outcomeWord(hook, paint)}  ${hookName(hook, view)} (${endingAndTime(hook)})${failureNote(hook)}`]
  if (verbose) {
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = shown(hook[stream] ?? '').trimEnd()
      if (text !== '') lines.push(`         ${stream}: ${indented(text, 17)}`)
    }
  }
  return lines
}

function outcomeWord({ outcome }: Ran, paint: Paint): string {
  switch (outcome) {
    case 'success':
      return paint.green('ok     ')
    case 'blocking':
      return paint.red('blocks ')
    case 'nonBlockingError':
      return paint.yellow('failed ')
    case 'cancelled':
      return paint.dim('ended  ')
  }
}

function endingAndTime({ ending, ms }: Ran): string {
  return ending.kind === 'deferred' || ending.kind === 'timedOut' ? endingWords(ending) : `${endingWords(ending)}, ${time(ms)}`
}

function failureNote({ outcome, stderr }: Ran): string {
  const first = outcome === 'nonBlockingError' ? shownLine((stderr ?? '').trim().split('\n', 1)[0] ?? '') : ''
  return first === '' ? '' : `: ${first}`
}

/** The verdict in one line. */
function headline(verdict: Verdict, view: VerdictView): string {
  const { paint, resolved } = view
  const stopped = verdict.stop === undefined ? '' : `\n${paint.yellow('stopped')} by ${names([verdict.stop.by], verdict, view)}${because(verdict.stop.reason)}`
  const decided = permissionLine(verdict, view) ?? blockLine(verdict, view)
  if (decided !== undefined) return `${decided}${stopped}`
  if (stopped !== '') return stopped.slice(1)
  const ran = verdict.hooks.filter((hook) => hook.status === 'ran').length
  const skipped = verdict.hooks.length - ran
  const what = ran === 0 ? (skipped === 0 ? `no hook is configured for ${verdict.event}` : `no hook ran, ${count(skipped, 'hook')} skipped`) : `${count(ran, 'hook')} ran, none objects`
  const mode = resolved !== undefined && resolved.cause !== 'no-opinion' ? ` (${resolved.behavior} by ${resolved.cause})` : ''
  return `${paint.green('go on')}: ${what}${mode}`
}

function permissionLine(verdict: Verdict, view: VerdictView): string | undefined {
  if (!('permission' in verdict)) return undefined
  const { paint, resolved } = view
  const { behavior, by, reason = '' } = verdict.permission
  const who = names(by, verdict, view)
  if (behavior === 'deny') return `${paint.red('denied')} by ${who}${because(reason)}`
  if (resolved?.behavior === 'deny') {
    const why = resolved.reason ?? reason
    if (resolved.cause === 'nobody-to-ask' && who !== '') return `${paint.red('denied')}: ${who} asks, and nobody is there to be asked${because(why)}`
    return `${paint.red('denied')} by ${causes[resolved.cause] ?? resolved.cause}${because(why)}`
  }
  if (behavior === 'defer') return `${paint.yellow('deferred')} by ${who}${because(reason)}`
  if (behavior === 'ask') return `${paint.yellow('ask')}: ${who} wants a person to decide${because(reason)}`
  if (behavior === 'allow') return `${paint.green('allowed')} by ${who}${because(reason)}`
  return undefined
}

const causes: Readonly<Record<string, string>> = {
  hook: 'a hook',
  rule: 'a permission rule of the settings',
  mode: 'the permission mode of the settings',
  'nobody-to-ask': 'default: it needs a yes, and nobody is there to be asked',
  'no-opinion': 'default',
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
      return hook?.status === 'ran' ? `${hookName(hook, view)} (${endingAndTime(hook)})` : shownLine(id)
    })
    .join(', ')
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${indented(shown(reason), 2)}`
}

const extraWords: readonly [key: string, label: string][] = [
  ['updatedInput', 'new input'],
  ['updatedOutput', 'new output'],
  ['updatedPermissions', 'new permissions'],
  ['interrupt', 'interrupt'],
  ['retry', 'retry'],
  ['elicitation', 'elicitation'],
  ['displayContent', 'shown instead'],
  ['worktreePath', 'worktree'],
  ['watchPaths', 'watch'],
  ['sessionTitle', 'session title'],
  ['initialUserMessage', 'first message'],
  ['reloadSkills', 'reload skills'],
  ['suppressOriginalPrompt', 'original prompt hidden'],
  ['classifierContext', 'for the classifier'],
]

/** The event's own powers, one line each. */
function extras(verdict: Verdict): string[] {
  const own = verdict as unknown as Readonly<Record<string, unknown>>
  return extraWords.flatMap(([key, label]) => {
    const value = own[key]
    if (value === undefined || (Array.isArray(value) && value.length === 0 && key === 'classifierContext')) return []
    return [`${label}: ${typeof value === 'string' ? indented(shown(value), 2) : shown(JSON.stringify(value))}`]
  })
}
