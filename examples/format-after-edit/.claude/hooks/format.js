/** Formats the file that a tool just wrote, and tells the model so that its next edit fits the file as it is. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'))
const before = readFileSync(tool_input.file_path, 'utf8')
const after = `${before
  .split('\n')
  .map((line) => line.replace(/\t/g, '  ').replace(/[ ;]+$/, ''))
  .join('\n')
  .replace(/\n{3,}/g, '\n\n')
  .trimEnd()}\n`

if (after !== before) {
  writeFileSync(tool_input.file_path, after)
  const additionalContext = `${basename(tool_input.file_path)} was formatted after your edit; read it again before you edit it.`
  writeSync(1, JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } }))
}
