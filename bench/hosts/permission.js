/** Permission decisions over 200 rules, as a team may have them. Each subject does `batch` of its kind, so that a clock can tell. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHookline } from 'hookline/node'

/** How many of each kind one run does. */
export const batch = { 'JSON.parse': 20_000, decision: 400 }

const programs = ['git push', 'rm -rf', 'npm publish', 'docker run', 'kubectl delete', 'terraform apply', 'ssh', 'curl', 'chmod', 'systemctl stop']
const here = dirname(fileURLToPath(import.meta.url))
const files = readdirSync(here).map((name) => join(here, name))
const command = (number) => ({ name: 'Bash', input: { command: `git status --short && npm test -- --run "file ${number}.test.ts"` } })

/** Calls of each kind. The same call id is answered from memory, so each has its own. */
const calls = {
  'a command never given before': command,
  // Agents come back to the same commands.
  'a command given before': (number) => command(number % 20),
  'a file': (number) => ({ name: 'Read', input: { file_path: files[number % files.length], offset: number } }),
  'an address': (number) => ({ name: 'WebFetch', input: { url: `https://docs.example.com/page/${number}`, prompt: 'What is new?' } }),
}

/** Rules as a team may have them: commands, paths, domains, servers of MCP. */
function ruleOf(index) {
  switch (index % 5) {
    case 0:
      return `Read(./secrets/${index}/**)`
    case 1:
      return `WebFetch(domain:host${index}.example.com)`
    case 2:
      return `mcp__server${index}`
    default:
      return `Bash(${programs[index % programs.length]} ${index}:*)`
  }
}

export async function open() {
  const rules = Array.from({ length: 200 }, (_, index) => ruleOf(index))
  const granted = ['Bash(git status:*)', 'Bash(npm test:*)', `Read(/${here}/**)`, 'WebFetch(domain:docs.example.com)']
  const permissions = { deny: rules.slice(0, 80), ask: rules.slice(80, 120), allow: [...rules.slice(120), ...granted] }
  const hookline = await createHookline({ sources: [], settings: [{ permissions }] })
  const { name, input: toolInput } = command(0)
  const common = { session_id: '0'.repeat(36), transcript_path: '', cwd: process.cwd(), hook_event_name: 'PreToolUse' }
  const input = JSON.stringify({ ...common, tool_name: name, tool_input: toolInput, tool_use_id: 't-0' })
  let asked = 0
  const decide = (make) => async () => {
    for (let index = 0; index < batch.decision; index++) {
      const number = asked++
      const { behavior } = await hookline.permit({ ...make(number), id: `t-${number}` })
      if (behavior !== 'allow') throw new Error(`the call was not allowed: ${behavior}`)
    }
  }
  return {
    'JSON.parse': () => {
      for (let index = 0; index < batch['JSON.parse']; index++) JSON.parse(input)
      return Promise.resolve()
    },
    ...Object.fromEntries(Object.entries(calls).map(([kind, make]) => [kind, decide(make)])),
  }
}
