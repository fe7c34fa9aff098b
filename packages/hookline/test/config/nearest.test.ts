/** Did-you-mean: close names are offered, far ones are not. */
import { expect, test } from 'vitest'
import { nearest } from '../../src/config/nearest.ts'

const names = ['PreToolUse', 'PostToolUse', 'Stop', 'SubagentStop', 'Setup', 'Bash', 'mcp_tool', 'command', 'httpHookAllowedEnvVars']
const rows: [written: string, meant: string | undefined][] = [
  ['PreToolUze', 'PreToolUse'],
  ['preToolUse', 'PreToolUse'],
  ['pre_tool_use', 'PreToolUse'],
  ['PostTooluse', 'PostToolUse'],
  ['Sotp', 'Stop'],
  ['stop', 'Stop'],
  ['bash', 'Bash'],
  ['Command', 'command'],
  ['mcp-tool', 'mcp_tool'],
  ['Subagent', 'SubagentStop'],
  ['http', undefined],
  ['TurnWillEnd', undefined],
  ['xy', undefined],
  ['', undefined],
  ['Stop', undefined],
  ['a'.repeat(10_000), undefined],
]
test.each(rows)('%s means %s', (written, meant) => {
  expect(nearest(written, names)).toBe(meant)
})
