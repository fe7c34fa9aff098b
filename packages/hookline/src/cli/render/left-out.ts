/** Says which hooks did not run for want of trust, and how to run them. */
import type { HookInfo } from '../../index.ts'
import { hookName, type Viewpoint } from './place.ts'
import { count } from './shown.ts'

type Skippable = HookInfo & { readonly status: string; readonly skipped?: { readonly why: string } }

/** Where hooks are named from, and what `--trust=DIGEST` was given when the folder has another digest now. */
export interface LeftOutView extends Viewpoint {
  /** Nothing was run: this is what would be left out. */
  readonly supposed?: true
  readonly given?: string
  readonly digest?: string
}

/** The note for stderr; `''` when nothing was left out. */
export function leftOutNote(hooks: readonly Skippable[], view: LeftOutView): string {
  const left = hooks.filter((hook) => hook.status === 'skipped' && hook.skipped?.why === 'untrusted')
  if (left.length === 0) return ''
  const names = left.slice(0, 10).map((hook) => `  ${hookName(hook, view)}`)
  if (left.length > 10) names.push(`  and ${left.length - 10} more`)
  const them = left.length === 1 ? 'it' : 'them'
  const other =
    view.given === undefined || view.given.toLowerCase() === view.digest ? '' : `\n--trust was given another digest; the folder has ${view.digest} now.`
  const be = view.supposed ? 'would be' : left.length === 1 ? 'was' : 'were'
  return `${count(left.length, 'hook')} of this folder ${be} left out, because nobody vouched for ${them}:\n${names.join('\n')}${other}\nRead ${them} with \`hookline trust\`, which also accepts ${them}; --trust runs what the folder brings, in this run only.`
}
