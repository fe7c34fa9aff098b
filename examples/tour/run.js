/** The tour: Hookline's agent works in a copy of examples/project, past the hooks of its settings file. Without words a script plays the model; with words the configured provider does. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentError, createAgent, createAgentModel, createScriptModel, ModelError } from '@hookline/agent'
import { expected, modelTurns, prompts } from './script.js'
import { timeline } from './timeline.js'

const task = process.argv.slice(2).join(' ')
const folder = await mkdtemp(join(tmpdir(), 'hookline-tour-'))
await cp(join(import.meta.dirname, '../project'), folder, { recursive: true })

try {
  process.exitCode = task === '' ? await tour() : await work(task)
} catch (error) {
  if (!(error instanceof ModelError || error instanceof AgentError)) throw error
  console.error(`${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`)
  process.exitCode = 1
} finally {
  // What came of a task stays for the person to look at.
  if (task === '' || process.exitCode === 1) await rm(folder, { recursive: true })
}

/** An agent in the folder. It is ours, so we vouch for its hooks; the person's own settings stay out of a demonstration. */
async function agentWith(model, steps = []) {
  const agent = await createAgent({
    model,
    cwd: folder,
    sources: ['project', 'session'],
    trust: 'implicit',
    mode: 'acceptEdits',
    settings: [{ permissions: { allow: ['Bash(node --test *)', 'Bash(node --test)'] } }],
    transcripts: join(folder, '.transcripts'),
  })
  const { hookline } = agent.session
  console.log(`${model.label} in a copy of examples/project, whose .claude/settings.json brings ${hookline.list().length} hooks.\n`)
  const line = timeline({ print: (text) => console.log(text), colour: process.stdout.isTTY && !process.env.NO_COLOR, steps, folder })
  agent.on(line.said)
  hookline.trace.subscribe(line.fired)
  return agent
}

/** Plays the script and compares every step. */
async function tour() {
  const steps = []
  const agent = await agentWith(createScriptModel({ modelTurns }, 'of the tour'), steps)
  for (const prompt of prompts) await agent.ask(prompt)
  await agent.close()

  const audit = (await readFile(join(folder, '.claude/audit.jsonl'), 'utf8')).trimEnd().split('\n')
  const source = await readFile(join(folder, 'src/sum.js'), 'utf8')
  console.log(`src/sum.js is mended and formatted; the audit hook wrote ${audit.length} lines.`)
  const wrong = [
    ...expected.flatMap((line, index) => (steps[index] === line ? [] : [`expected "${line}", got "${steps[index] ?? 'nothing'}"`])),
    ...steps.slice(expected.length).map((line) => `did not expect "${line}"`),
    ...(source.includes('total + number, 0)') && !/[\t;]/.test(source) ? [] : ['src/sum.js is not the mended, formatted file']),
    ...(audit.length === 8 ? [] : [`expected 8 audit lines, got ${audit.length}`]),
  ]
  for (const line of wrong) console.error(`tour: ${line}`)
  console.log(wrong.length === 0 ? `All ${expected.length} steps are as expected.` : `${wrong.length} things are not as expected.`)
  return wrong.length === 0 ? 0 : 1
}

/** A task of the person, with a real model. */
async function work(prompt) {
  const agent = await agentWith(createAgentModel({ env: process.env, cwd: folder }))
  const result = await agent.ask(prompt)
  await agent.close()
  const { error } = result
  if (error === undefined) console.log(`The folder: ${folder}`)
  else console.error(`${error.message}${error.hint === undefined ? '' : `\n${error.hint}`}`)
  return error === undefined ? 0 : 1
}
