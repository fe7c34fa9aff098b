/** G1: a permission decision over 200 rules. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHookline } from 'hookline/node'
import { interleave, ratio, row } from '../measure.js'

export const title = 'G1 permission decisions'

const programs = ['git push', 'rm -rf', 'npm publish', 'docker run', 'kubectl delete', 'terraform apply', 'ssh', 'curl', 'chmod', 'systemctl stop']
const here = dirname(fileURLToPath(import.meta.url))
const files = readdirSync(here).map((name) => join(here, name))

/** Calls of each kind, no two of them the same. */
const calls = {
  'a command': (number) => ({ name: 'Bash', input: { command: `git status --short && npm test -- --run "file ${number}.test.ts"` } }),
  'a file': (number) => ({ name: 'Read', input: { file_path: files[number % files.length], offset: number } }),
  'an address': (number) => ({ name: 'WebFetch', input: { url: `https://docs.example.com/page/${number}`, prompt: 'What is new?' } }),
}
/** So many decisions until all of it is compiled by the engine that runs it: the target is about what comes after. */
const warmUp = 6_000

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

export async function run({ rounds, scale }) {
  const rules = Array.from({ length: 200 }, (_, index) => ruleOf(index))
  const granted = ['Bash(git status:*)', 'Bash(npm test:*)', `Read(/${here}/**)`, 'WebFetch(domain:docs.example.com)']
  const permissions = { deny: rules.slice(0, 80), ask: rules.slice(80, 120), allow: [...rules.slice(120), ...granted] }
  const hookline = await createHookline({ sources: [], settings: [{ permissions }] })
  const { name, input: toolInput } = calls['a command'](0)
  const common = { session_id: '0'.repeat(36), transcript_path: '', cwd: process.cwd(), hook_event_name: 'PreToolUse' }
  const input = JSON.stringify({ ...common, tool_name: name, tool_input: toolInput, tool_use_id: 't-0' })
  let asked = 0
  const decide = (make) => async () => {
    // Another call each time: the same one would be answered from memory.
    const number = asked++
    const { behavior } = await hookline.permit({ ...make(number), id: `t-${number}` })
    if (behavior !== 'allow') throw new Error(`the call was not allowed: ${behavior}`)
  }
  const deciders = Object.entries(calls).map(([kind, make]) => ({ name: kind, run: decide(make), count: 200 * scale }))
  for (const { run: again } of deciders) for (let index = 0; index < warmUp; index++) await again()
  const times = await interleave([{ name: 'JSON.parse', run: () => JSON.parse(input), count: 5_000 * scale, sync: true }, ...deciders], rounds)
  await hookline.close()
  return deciders.map(({ name: kind }) =>
    row('G1', `permission decision over 200 rules, about ${kind} ÷ JSON.parse of an input`, ratio(times, kind, 'JSON.parse'), { atMost: 100 }),
  )
}
