/** Which file a module hook means: placeholders filled in, and relative to its plugin or to the project. */
import { isAbsolute, resolve } from 'node:path'
import type { RunContext, RunnableHook } from '../protocol/runner.ts'
import type { HostEnvironment } from './command-environment.ts'
import { fillPlaceholders } from './command-placeholders.ts'

/** The file, or why there cannot be one. */
export type ModulePath = { readonly kind: 'file'; readonly file: string } | { readonly kind: 'refused'; readonly why: string }

/** Finds the file; whether it is there is for the caller to see. */
export function modulePath(written: string, hook: RunnableHook, { context, host }: { context: RunContext; host: HostEnvironment }): ModulePath {
  const filled = fillPlaceholders(written, hook, context)
  if (filled.kind === 'refused') return filled
  const home = host['HOME'] ?? host['USERPROFILE']
  const path = home !== undefined && /^~[/\\]/.test(filled.text) ? home + filled.text.slice(1) : filled.text
  if (path.includes('\0')) return { kind: 'refused', why: 'the path of the module holds a NUL character' }
  return { kind: 'file', file: isAbsolute(path) ? path : resolve(hook.variables?.['CLAUDE_PLUGIN_ROOT'] ?? context.projectDir, path) }
}
