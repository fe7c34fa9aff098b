/** Says which hooks did not run for want of trust, and how to run them. */
import type { HookInfo } from '../../index.ts'
import { hookName, type Viewpoint } from './place.ts'
import { count } from './shown.ts'

type Skippable = HookInfo & { readonly status: string; readonly skipped?: { readonly why: string } }

/** The note for stderr; `''` when nothing was left out. */
export function leftOutNote(hooks: readonly Skippable[], view: Viewpoint): string {
  const left = hooks.filter((hook) => hook.status === 'skipped' && hook.skipped?.why === 'untrusted')
  if (left.length === 0) return ''
  const names = left.slice(0, 10).map((hook) => `  ${hookName(hook, view)}`)
  if (left.length > 10) names.push(`  and ${left.length - 10} more`)
  return `${count(left.length, 'hook')} of this folder left out, because nobody vouched for ${left.length === 1 ? 'it' : 'them'}:\n${names.join('\n')}\nRead ${left.length === 1 ? 'it' : 'them'}, then add --trust to run what the folder brings.`
}
