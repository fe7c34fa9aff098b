/** A verdict for people: a line per hook that ran or failed, what was decided and by whom, and the texts for model and person. */
import type { HookReport, Verdict } from '../../index.ts'
import { runWords } from './ending.ts'
import { headline, type VerdictView } from './headline.ts'
import type { Paint } from './paint.ts'
import { hookName } from './place.ts'
import { indented, shown, shownLine } from './shown.ts'

type Ran = Extract<HookReport, { status: 'ran' }>

/** The whole text. */
export function verdictText(verdict: Verdict, view: VerdictView): string {
  const lines = verdict.hooks.flatMap((hook) => hookLines(hook, view))
  lines.push(headline(verdict, view), ...extras(verdict))
  if (verdict.toModel !== '') lines.push(`to the model: ${indented(shown(verdict.toModel), 14)}`)
  if (verdict.toUser !== '') lines.push(`to the user:  ${indented(shown(verdict.toUser), 14)}`)
  // A failure is both a message and a warning; people read it once.
  for (const warning of verdict.warnings.filter(({ message }) => !verdict.toUser.includes(message)))
    lines.push(`${view.paint.yellow(warning.severity)} ${shownLine(warning.code)}: ${shownLine(warning.message, 400)}`)
  return lines.join('\n')
}

function hookLines(hook: HookReport, view: VerdictView): string[] {
  const { paint, verbose } = view
  if (hook.status === 'skipped') {
    return verbose ? [`${paint.dim('skipped')}  ${hookName(hook, view)}: ${shownLine(`${hook.skipped.why}, ${hook.skipped.detail}`)}`] : []
  }
  const lines = [`${outcomeWord(hook, paint)}  ${hookName(hook, view)} (${runWords(hook)})${failureNote(hook)}`]
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

function failureNote({ outcome, stderr }: Ran): string {
  const first = outcome === 'nonBlockingError' ? shownLine((stderr ?? '').trim().split('\n', 1)[0] ?? '') : ''
  return first === '' ? '' : `: ${first}`
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
