/** One long session, looked at again and again: `npm run soak`, or `node --expose-gc packages/agent/test/soak/soak.js --turns 100 --json`. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createAgent, createScriptModel } from '@hookline/agent'

const { values } = parseArgs({ options: { turns: { type: 'string', default: '1000' }, json: { type: 'boolean', default: false } } })
const turns = Number(values.turns)
const root = mkdtempSync(join(tmpdir(), 'hookline-soak-'))
process.on('exit', () => rmSync(root, { recursive: true, force: true }))

const cwd = join(root, 'project')
mkdirSync(join(cwd, '.claude'), { recursive: true })
writeFileSync(join(cwd, 'a.txt'), 'a line of text\n'.repeat(20))
writeFileSync(
  join(cwd, '.claude/settings.json'),
  JSON.stringify({ hooks: { PostToolUse: [{ matcher: 'Glob', hooks: [{ type: 'command', command: 'echo seen' }] }] } }),
)

/** A turn reads twice; every twentieth also looks for files, which starts the command hook of the settings. */
const read = { tool: 'Read', input: { file_path: 'a.txt' } }
const work = (at) => [[{ text: `Turn ${at}.` }, read, read, ...(at % 20 === 19 ? [{ tool: 'Glob', input: { pattern: '*.txt' } }] : [])], `Turn ${at} is done.`]
const script = () => ({ modelTurns: Array.from({ length: turns }, (_, at) => work(at)).flat() })

let events = 0
const count = (answer) => () => {
  events++
  return answer
}
const names = [
  'UserPromptSubmit',
  'MessageDisplay',
  'PostSampling',
  'PreToolUse',
  'PostToolUse',
  'PostToolBatch',
  'Stop',
  'PreCompact',
  'PostCompact',
  'SessionStart',
]
const saying = new Set(['UserPromptSubmit', 'PreToolUse', 'PostToolUse'])

// A small window, so that the conversation is compacted as in any session of this length.
const contextWindow = 20_000
const open = (more) =>
  createAgent({
    model: createScriptModel(script(), 'soak'),
    cwd,
    env: { PATH: process.env.PATH, HOME: root, XDG_STATE_HOME: join(root, 'state') },
    trust: 'implicit',
    contextWindow,
    ...more,
  })

const agent = await open({})
agent.session.hookline.on(Object.fromEntries(names.map((name) => [name, [count(saying.has(name) ? { context: `context of ${name}` } : undefined)]])))
let failed = 0
let commands = 0
let compacted = 0
let said = 0
agent.on((event) => {
  if (event.kind === 'hook-end' && event.hook.type === 'command') commands++
  if (event.kind === 'hook-end' && event.outcome !== 'success') failed++
  if (event.kind === 'compacted') compacted++
  if (event.kind === 'message' && event.message.role === 'assistant') said++
})

const samples = []
const started = performance.now()
for (let at = 0; at < turns; at++) {
  const result = await agent.ask(`Prompt ${at}: read the file.`)
  assert.deepEqual([result.reason, result.text], ['completed', `Turn ${at} is done.`])
  if ((at + 1) % Math.max(1, Math.floor(turns / 40)) === 0) samples.push(await sample())
}
const seconds = (performance.now() - started) / 1_000

/** After a garbage collection, and at the same fill of the conversation as far as that can be: a compaction is asked for first. */
async function sample() {
  await agent.session.compact({ trigger: 'manual', signal: AbortSignal.timeout(60_000) })
  for (let time = 0; time < 2; time++) {
    globalThis.gc?.()
    await new Promise((done) => setTimeout(done, 10))
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, resident: rss / 2 ** 20, handles: process.getActiveResourcesInfo().length }
}

const kept = structuredClone(agent.session.conversation.messages)
const { path } = agent.session.conversation.transcript
const { sessionId } = agent.session
await agent.close()
const transcript = check(readFileSync(path, 'utf8'))

const again = await open({ resume: { sessionId } })
assert.deepEqual(again.session.conversation.messages, kept, 'the resumed conversation is the one that was left')
await again.close()

// The first half warms up; then the third quarter is compared with the last.
const middle = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
const part = (from, to, what) => middle(samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to)).map((one) => one[what]))
const growth = Object.fromEntries(['heap', 'resident', 'handles'].map((what) => [what, { before: part(0.5, 0.75, what), after: part(0.75, 1, what) }]))
const found = { turns, events: events + commands, commands, failed, compacted, seconds, transcript, growth, samples }

if (values.json) console.log(JSON.stringify(found))
else {
  const figure = (what, unit) => `${what} ${growth[what].before.toFixed(1)} → ${growth[what].after.toFixed(1)}${unit}`
  console.log(`${turns} turns, ${found.events} hooks ran (${commands} of them commands, ${failed} failed), ${compacted} compactions, ${seconds.toFixed(1)} s`)
  console.log(`after warm-up: ${figure('heap', ' MiB')}, ${figure('resident', ' MiB')}, ${figure('handles', '')}`)
  console.log(`transcript: ${transcript.lines} lines, ${transcript.messages} messages in one chain, read back as the conversation was left`)
}
const flat = ['heap', 'resident'].every((what) => growth[what].after <= growth[what].before * 1.1)
if (!flat || failed > 0) {
  console.error(flat ? `${failed} hooks failed.` : 'Memory grew by more than 10 % after warm-up.')
  process.exitCode = 1
}

/** Every line is whole, every message follows the one before it, and nothing that was said is missing. */
function check(text) {
  assert.ok(text.endsWith('\n'))
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  let last = null
  let messages = 0
  let answers = 0
  for (const line of lines) {
    if (line.type !== 'user' && line.type !== 'assistant') continue
    assert.equal(line.parentUuid, last, 'each message names the one before it')
    last = line.uuid
    messages++
    if (line.type === 'assistant') answers++
  }
  assert.equal(answers, said, 'every answer stands in the transcript')
  return { lines: lines.length, messages }
}
