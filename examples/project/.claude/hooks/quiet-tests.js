/** Rewrites a tool's input: the tests run with the short reporter, so that the model reads dots instead of pages. */
import { readFileSync, writeSync } from 'node:fs'

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'))
const updatedInput = { ...tool_input, command: `${tool_input.command} --test-reporter=dot` }
writeSync(1, JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } }))
