/** The tour: a scripted agent works in a copy of examples/project, past the hooks of its settings file. Exits 1 when a verdict is not what the tour expects. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'
import { work } from './agent.js'
import { expected, prompts, turns } from './script.js'
import { timeline } from './timeline.js'
import { toolsIn } from './tools.js'

const folder = await mkdtemp(join(tmpdir(), 'hookline-tour-'))
await cp(join(import.meta.dirname, '../project'), folder, { recursive: true })

// The folder is ours, so we vouch for its hooks; the person's own settings stay out of a demonstration.
const hookline = await createHookline({ cwd: folder, sources: ['project'], trust: 'implicit' })
console.log(`A scripted agent in a copy of examples/project, whose .claude/settings.json brings ${hookline.list().length} hooks.\n`)

const steps = []
hookline.trace.subscribe(timeline({ print: (text) => console.log(text), colour: process.stdout.isTTY && !process.env.NO_COLOR, steps, folder }))

const tools = toolsIn(folder)
await hookline.fire('SessionStart', { source: 'startup' })
for (const prompt of prompts) await work(hookline, { prompt, turns, tools })
await hookline.fire('SessionEnd', { reason: 'other' })
await hookline.close()

const audit = (await readFile(join(folder, '.claude/audit.jsonl'), 'utf8')).trimEnd().split('\n')
const source = await readFile(join(folder, 'src/sum.js'), 'utf8')
console.log(`src/sum.js is mended and formatted; the audit hook wrote ${audit.length} lines.`)
await rm(folder, { recursive: true })

const wrong = [
  ...expected.flatMap((line, index) => (steps[index] === line ? [] : [`expected "${line}", got "${steps[index] ?? 'nothing'}"`])),
  ...steps.slice(expected.length).map((line) => `did not expect "${line}"`),
  ...(source.includes('total + number, 0)') && !/[\t;]/.test(source) ? [] : ['src/sum.js is not the mended, formatted file']),
  ...(audit.length === 7 ? [] : [`expected 7 audit lines, got ${audit.length}`]),
]
for (const line of wrong) console.error(`tour: ${line}`)
console.log(wrong.length === 0 ? `All ${expected.length} steps are as expected.` : `${wrong.length} things are not as expected.`)
process.exitCode = wrong.length === 0 ? 0 : 1
