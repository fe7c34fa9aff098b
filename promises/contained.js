/** Whether this version and this machine can run a hook in a room that nothing leaves. */
import { validateSettings } from 'hookline'
import { startHost } from './host.js'
import { scratch } from './world.js'

/** `undefined` when they can; else why not. */
export async function whyNotContained() {
  const found = validateSettings(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', sandbox: 'contained' }] }] } }), {
    file: 'x',
  })
  if (found.some(({ code, severity }) => code === 'unknown-field' || severity === 'error')) return 'this version has no contained mode'
  const { started, skipped, other } = await startHost('escaping.js', { root: scratch('try'), word: '31415', sandbox: 'contained', hooks: 1 }).finding()
  if (skipped.length > 0) return `this machine refuses namespaces (${skipped[0]})`
  return started === 1 ? undefined : `a contained hook did not run here (${JSON.stringify(other)})`
}
