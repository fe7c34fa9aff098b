/** The files that the matchers of file events name: what a host watches besides the lists that hooks hand back. */

import { resolvePath } from './paths.ts'
import type { ConfiguredHook } from './snapshot.ts'

/**
 * The literal names in the matchers of these hooks, as paths in `cwd`. A hook without a matcher watches nothing of its own and hears of
 * every watched file (protocol §1.3, FileChanged).
 */
export function watchedNames(hooks: readonly ConfiguredHook[], cwd: string): readonly string[] {
  const names = new Set<string>()
  for (const hook of hooks) {
    if (hook.fault !== undefined || hook.matcher.text === undefined) continue
    for (const name of hook.matcher.text.split('|')) {
      if (name !== '' && !/[*?+()[\]{}^$\\]/.test(name)) names.add(resolvePath(cwd, name))
    }
  }
  return [...names]
}
