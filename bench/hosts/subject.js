/** What every host measures with: one event, hooks that do nothing or sleep, and the plain way to run a command. */
import { spawn } from 'node:child_process'

/** A call of a tool: with the common fields, 458 bytes of payload on average folders. */
export const call = { tool_name: 'Bash', tool_input: { command: `git status --short ${'x'.repeat(160)}` }, tool_use_id: 't-1' }

/** The payload of that call as a process reads it. */
export const payload = `${JSON.stringify({ session_id: '0'.repeat(36), transcript_path: '', cwd: process.cwd(), hook_event_name: 'PreToolUse', ...call })}\n`

/** A hook that reads the event and has no opinion. The comment keeps hooks apart that would be merged as the same. */
export const quietCommand = (index = 0) => `read -r x; echo '{"continue":true}' # ${index}`

/** A hook that takes 100 ms and no processor time. */
export const sleepingCommand = (index = 0) => `read -r x; sleep 0.1 # ${index}`

/** `count` commands of a kind. */
export const commands = (make, count) => Array.from({ length: count }, (_, index) => make(index))

/** Settings with these command hooks at PreToolUse. */
export const settingsOf = (list, more = {}) => ({ hooks: { PreToolUse: [{ hooks: list.map((command) => ({ type: 'command', command, ...more })) }] } })

/** Runs a command as a program does that has no engine: `spawn` with a shell, input written, output collected, end awaited. */
export function plainSpawn(command, input = payload) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (bytes) => {
      stdout += bytes
    })
    child.stderr.on('data', (bytes) => {
      stderr += bytes
    })
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`plain spawn: ${code} ${stderr}`))))
    child.stdin.end(input)
  })
}

/** Fires the call and checks that every hook did what it should: a hook that failed fast must not look fast. */
export async function fireAll(hookline, count, input = call) {
  check(await hookline.fire('PreToolUse', input), count)
}

/** The same for hooks that take microseconds, where looking at every report would be seen: one event in fifty is checked. */
export function fireMany(hookline) {
  let fired = 0
  return async () => {
    const verdict = await hookline.fire('PreToolUse', call)
    if (fired++ % 50 === 0) check(verdict, 1)
  }
}

function check({ hooks }, count) {
  const fine = hooks.filter(({ status, outcome }) => status === 'ran' && outcome === 'success').length
  if (fine !== count) throw new Error(`${fine} of ${count} hooks ran: ${JSON.stringify(hooks.find(({ outcome }) => outcome !== 'success'))}`)
}
