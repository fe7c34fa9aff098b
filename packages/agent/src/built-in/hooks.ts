/** `/hooks`: every hook of the session with its source, its trust and what it matches. */
import type { HookInfo, Hookline } from 'hookline'

/** The listing as text; `filter` narrows it to one event. */
export function hookListing(hookline: Hookline, filter = ''): string {
  const hooks = hookline.list().filter((hook) => filter === '' || hook.event === filter)
  if (hooks.length === 0) return filter === '' ? 'No hooks are configured. `hookline init` writes a first one.' : `No hooks are configured for ${filter}.`
  const lines: string[] = []
  for (const event of [...new Set(hooks.map((hook) => hook.event))]) {
    lines.push(event)
    for (const hook of hooks.filter((one) => one.event === event)) lines.push(`  ${describe(hook)}`)
  }
  const waiting = hookline.trust.pending.length
  if (waiting > 0) lines.push('', 'Hooks of this folder are not trusted and do not run. `hookline trust` lists what they would run.')
  return lines.join('\n')
}

function describe(hook: HookInfo): string {
  const { source } = hook
  const where = source.file === undefined ? source.kind : `${source.kind} ${source.file}${source.line === undefined ? '' : `:${source.line}`}`
  const facts = [
    hook.matcher === undefined || hook.matcher === '' ? '' : `matcher ${hook.matcher}`,
    hook.if === undefined ? '' : `if ${hook.if}`,
    ...hook.flags,
    hook.onFailure === 'block' ? 'closes on failure' : '',
    hook.trust === 'not-needed' ? '' : hook.trust === 'trusted' ? 'trusted' : `NOT RUN: ${hook.trust}`,
  ].filter((fact) => fact !== '')
  return `${hook.type} ${hook.label}  (${where})${facts.length === 0 ? '' : `  ${facts.join(', ')}`}`
}
