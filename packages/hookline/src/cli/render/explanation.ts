/** An explanation for people, as a tree: source, hook, checks in order, whether it would run. */
import type { Explanation, HookInfo, Why } from '../../index.ts'
import { diagnosticText } from './diagnostics.ts'
import type { Paint } from './paint.ts'
import { shortFile, type Viewpoint } from './place.ts'
import { count, shownLine } from './shown.ts'

/** How to show an explanation. */
export interface ExplanationView extends Viewpoint {
  readonly paint: Paint
}

/** A check is named after the reason it may give; people are told what was asked. */
const questions: Readonly<Record<Why, string>> = {
  invalid: 'valid',
  policy: 'policy allows',
  untrusted: 'trusted',
  matcher: 'matcher',
  'condition-not-applicable': 'condition applies',
  condition: 'condition',
  'once-spent': 'once',
  disabled: 'enabled',
  'handler-not-allowed': 'handler allowed',
  'handler-not-available': 'handler available',
  'sandbox-unavailable': 'sandbox available',
  duplicate: 'no duplicate',
}

type Explained = Explanation['hooks'][number]

/** The whole text. */
export function explanationText(explanation: Explanation, view: ExplanationView): string {
  const { event, match, hooks, warnings } = explanation
  const would = hooks.filter((hook) => hook.status === 'would-run').length
  const subject = match === undefined ? event : `${event} with ${match.field} "${shownLine(match.value, 80)}"`
  const lines = [view.paint.bold(hooks.length === 0 ? `${subject}: no hook is configured` : `${subject}: ${would} of ${count(hooks.length, 'hook')} would run`)]
  for (const [title, group] of bySource(hooks, view)) {
    lines.push(view.paint.bold(title), ...group.flatMap((hook, index) => hookLines(hook, index === group.length - 1, view)))
  }
  return [...lines, ...warnings.map((warning) => diagnosticText(warning, view))].join('\n')
}

/** Hooks under the title of their source, sources in the order in which they come. */
export function bySource<H extends HookInfo>(hooks: readonly H[], view: Viewpoint): Map<string, H[]> {
  const groups = new Map<string, H[]>()
  for (const hook of hooks) {
    const { id, kind, file } = hook.source
    const title = file === undefined ? shownLine(id) : `${kind === 'plugin' ? shownLine(id) : kind} ${shortFile(file, view)}`
    groups.set(title, [...(groups.get(title) ?? []), hook])
  }
  return groups
}

function hookLines(hook: Explained, last: boolean, { paint }: ExplanationView): string[] {
  // Ours is there only where it refuses.
  const outcome =
    hook.source.kind === 'builtin'
      ? paint.red('would refuse')
      : hook.skipped === undefined
        ? paint.green('would run')
        : `${paint.yellow(`skipped: ${hook.skipped.why}`)}`
  const trunk = last ? '   ' : '│  '
  const checks = hook.checks.map((one, index) => {
    const result = { yes: paint.green('yes'), no: paint.red('no'), 'cannot-tell': paint.yellow('cannot tell') }[one.result]
    return `${trunk}${index === hook.checks.length - 1 ? '└─' : '├─'} ${questions[one.check]}: ${result}, ${shownLine(one.detail, 300)}`
  })
  const line = hook.source.line === undefined ? '' : `:${hook.source.line} `
  return [`${last ? '└─' : '├─'} ${line}${shownLine(hook.label, 80)} (${hook.type})  ${outcome}`, ...checks]
}
