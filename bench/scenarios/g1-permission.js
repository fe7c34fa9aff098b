/** G1: a permission decision over 200 rules. */
import { createHookline } from 'hookline/node'
import { interleave, ratio, row } from '../measure.js'

export const title = 'G1 permission decisions'

const programs = ['git push', 'rm -rf', 'npm publish', 'docker run', 'kubectl delete', 'terraform apply', 'ssh', 'curl', 'chmod', 'systemctl stop']
const callOf = (number) => ({
  tool_name: 'Bash',
  tool_input: { command: `git status --short && npm test -- --run "file ${number}.test.ts"` },
  tool_use_id: `t-${number}`,
})

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
  const permissions = { deny: rules.slice(0, 80), ask: rules.slice(80, 120), allow: [...rules.slice(120), 'Bash(git status:*)', 'Bash(npm test:*)'] }
  const hookline = await createHookline({ sources: [], settings: [{ permissions }] })
  const input = JSON.stringify({ session_id: '0'.repeat(36), transcript_path: '', cwd: process.cwd(), hook_event_name: 'PreToolUse', ...callOf(0) })
  let calls = 0
  const decide = async () => {
    // Another call each time: the same one would be answered from memory.
    const call = callOf(calls++)
    const { behavior } = await hookline.permit({ name: call.tool_name, input: call.tool_input, id: call.tool_use_id })
    if (behavior !== 'allow') throw new Error(`the call was not allowed: ${behavior}`)
  }
  const subjects = [
    { name: 'JSON.parse', run: () => JSON.parse(input), count: 5_000 * scale, sync: true },
    { name: 'permit', run: decide, count: 200 * scale },
  ]
  const times = await interleave(subjects, rounds)
  await hookline.close()
  return [row('G1', 'permission decision over 200 rules ÷ JSON.parse of the input', ratio(times, 'permit', 'JSON.parse'), { atMost: 100 })]
}
