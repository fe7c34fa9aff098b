/** Appends one JSON line per event to .claude/audit.jsonl. It says nothing, so it changes no verdict. */
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const { hook_event_name: event, session_id: session, tool_name: tool, tool_input: input, reason } = JSON.parse(readFileSync(0, 'utf8'))
const line = { at: new Date().toISOString(), session, event, tool, input, reason }
appendFileSync(join(process.env.CLAUDE_PROJECT_DIR, '.claude/audit.jsonl'), `${JSON.stringify(line)}\n`)
