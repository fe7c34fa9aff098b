/** Runs two tools past a hook that only writes down what it saw, and checks the lines it left: node examples/audit/run.js */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'

const folder = await mkdtemp(join(tmpdir(), 'audit-'))
await cp(import.meta.dirname, folder, { recursive: true })
const hookline = await createHookline({ cwd: folder, sources: ['project'], trust: 'implicit' })

// A hook in code refuses one of the two calls: a denial does not keep the audit hook from seeing the event.
hookline.on('PreToolUse', { matcher: 'WebFetch' }, () => ({ permission: 'deny', reason: 'no network today' }))

const read = await hookline.runTool({ name: 'Read', id: 'toolu_1', input: { file_path: join(folder, 'run.js') } }, (input) => readFile(input.file_path, 'utf8'))
const fetched = await hookline.runTool({ name: 'WebFetch', id: 'toolu_2', input: { url: 'https://example.com', prompt: 'Summarise.' } }, () => 'never called')
assert.equal(read.kind, 'ran')
assert.equal(fetched.kind, 'refused')

const lines = (await readFile(join(folder, '.claude/audit.jsonl'), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const seen = lines.map(({ event, tool }) => `${event} ${tool}`)
console.log(seen.join('\n'))
assert.deepEqual(seen, ['PreToolUse Read', 'PostToolUse Read', 'PreToolUse WebFetch'])
await hookline.close()
await rm(folder, { recursive: true })
