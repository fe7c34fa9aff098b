/** Tools that only hand on to the rest of the agent: what they pass, what they answer, and what they say where nobody is there. */

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from '../../src/tools/agent.ts'
import { askUserQuestion } from '../../src/tools/ask-user-question.ts'
import { enterPlanMode, exitPlanMode } from '../../src/tools/plan-mode.ts'
import { sendMessage } from '../../src/tools/send-message.ts'
import { skill } from '../../src/tools/skill.ts'
import { toolTable } from '../../src/tools/table.ts'
import { type AnyTool, defineTool, type Services } from '../../src/tools/tool.ts'
import { toolSearch } from '../../src/tools/tool-search.ts'
import { enterWorktree, exitWorktree } from '../../src/tools/worktree-tools.ts'
import { openBench } from './bench.ts'

const answer = { response: 'r', text: 't' }

describe('a tool that hands on', () => {
  const rows: [string, AnyTool, keyof Services, object, object][] = [
    [
      'Agent, in the background unless told otherwise',
      agent,
      'spawnAgent',
      { description: 'd', prompt: 'p' },
      { description: 'd', prompt: 'p', subagentType: 'general-purpose', background: true },
    ],
    [
      'Agent, with all it may say',
      agent,
      'spawnAgent',
      { description: 'd', prompt: 'p', subagent_type: 'rev', model: 'haiku', run_in_background: false, isolation: 'worktree', name: 'ann' },
      { description: 'd', prompt: 'p', subagentType: 'rev', model: 'haiku', background: false, isolation: 'worktree', name: 'ann' },
    ],
    ['Skill, without the slash', skill, 'useSkill', { skill: '/sk', args: 'xx' }, { skill: 'sk', args: 'xx' }],
    ['SendMessage', sendMessage, 'sendMessage', { to: 'ann', message: 'm' }, { to: 'ann', message: 'm' }],
    ['EnterWorktree', enterWorktree, 'enterWorktree', { name: 'wtx' }, { name: 'wtx' }],
    ['ExitWorktree', exitWorktree, 'exitWorktree', { action: 'remove', discard_changes: true }, { action: 'remove', discardChanges: true }],
  ]
  it.each(rows)('%s', async (_title, tool, service, input, expected) => {
    const asked: unknown[] = []
    const bench = await openBench({ services: { [service]: async (request: unknown) => asked.push(request) && answer } })
    expect(await bench.run(tool, input)).toBe(answer)
    expect(asked).toEqual([expected])
  })
  it.each(rows)('%s says when nobody is there', async (_title, tool, _service, input) => {
    expect(await (await openBench()).fails(tool, input)).toMatch(/\.$/)
  })
})

describe('AskUserQuestion', () => {
  const input = {
    questions: [
      {
        question: 'Which?',
        header: 'H',
        options: [
          { label: 'A', description: '' },
          { label: 'B', description: '' },
        ],
      },
      {
        question: 'When?',
        header: 'H',
        options: [
          { label: 'now', description: '' },
          { label: 'then', description: '' },
        ],
        multiSelect: true,
      },
    ],
  }
  it('gives the answers of the person', async () => {
    const bench = await openBench({ services: { askUser: async (asked) => Object.fromEntries(asked.map((it) => [it.question, it.options[0]!.label])) } })
    const { response, text } = await bench.run(askUserQuestion, input)
    expect(response).toMatchObject({ answers: { 'Which?': 'A', 'When?': 'now' }, questions: [{ multiSelect: false }, { multiSelect: true }] })
    expect(text).toBe('User has answered your questions: "Which?"="A", "When?"="now". You can now continue with the user\'s answers in mind.')
  })

  it('asks only what a hook has not answered', async () => {
    const asked: string[] = []
    const bench = await openBench({
      services: {
        askUser: async (open) => {
          asked.push(...open.map((it) => it.question))
          return { 'When?': 'then' }
        },
      },
    })
    expect((await bench.run(askUserQuestion, { ...input, answers: { 'Which?': 'B' } })).text).toContain('"Which?"="B", "When?"="then"')
    expect(asked).toEqual(['When?'])
  })

  it('needs nobody when a hook has answered all', async () => {
    const bench = await openBench()
    expect((await bench.run(askUserQuestion, { ...input, answers: { 'Which?': 'B', 'When?': 'now' } })).text).toContain('"B"')
    expect(await bench.fails(askUserQuestion, input)).toMatch(/^There is nobody to ask/)
  })
})

describe('plan mode', () => {
  it('is entered, and left when the person says yes', async () => {
    const modes: string[] = []
    let label = 'No, plan on'
    const bench = await openBench({ services: { setMode: (mode) => void modes.push(mode), askUser: async ([question]) => ({ [question!.question]: label }) } })
    await bench.run(enterPlanMode, {})
    expect(await bench.fails(exitPlanMode, { plan: 'P' })).toMatch(/does not accept the plan\. Stay/)
    label = 'first the tests'
    expect(await bench.fails(exitPlanMode, { plan: 'P' })).toMatch(/and says: first the tests/)
    label = 'Yes, go on'
    expect((await bench.run(exitPlanMode, { plan: 'P' })).response).toMatchObject({ plan: 'P' })
    expect(modes).toEqual(['plan', 'default'])
  })

  it('is no trap where nobody can accept a plan', async () => {
    const modes: string[] = []
    const bench = await openBench({ services: { setMode: (mode) => void modes.push(mode) } })
    await bench.fails(enterPlanMode, {})
    expect(await bench.fails(exitPlanMode, { plan: 'P' })).toMatch(/nobody who could accept/)
    expect(modes).toEqual([])
  })
})

describe('ToolSearch', () => {
  const hidden = (name: string, description: string) =>
    defineTool({ name, description, kind: 'other', deferred: true, schema: z.strictObject({}), execute: async () => answer })
  const tools = [
    hidden('NotebookEdit', 'changes cells'),
    hidden('mcp__slack__send', 'sends to a channel'),
    hidden('mcp__slack__list', 'lists channels'),
    hidden('CronCreate', 'plans a job, sends nothing'),
  ]

  it.each([
    ['select:NotebookEdit,croncreate', ['NotebookEdit', 'CronCreate']],
    ['notebook cells', ['NotebookEdit']],
    ['slack send', ['mcp__slack__send', 'mcp__slack__list', 'CronCreate']],
    ['+slack send', ['mcp__slack__send', 'mcp__slack__list']],
    ['nothing-like-this', []],
  ])('%s finds %j and reveals them', async (query, expected) => {
    const revealed: string[] = []
    const bench = await openBench({ services: { deferredTools: () => tools, reveal: (names) => void revealed.push(...names) } })
    const { response } = await bench.run(toolSearch, { query })
    expect(response).toEqual({ matches: expected, query, total_deferred_tools: 4 })
    expect(revealed).toEqual(expected)
  })
})

describe('the table', () => {
  it('has each tool once, with a schema that a model can be told', () => {
    const names = toolTable.map((tool) => tool.name)
    expect(new Set(names).size).toBe(names.length)
    for (const tool of toolTable) expect(z.toJSONSchema(tool.schema, { io: 'input' })).toMatchObject({ type: 'object', additionalProperties: false })
  })

  it.each([
    'Agent',
    'Bash',
    'Read',
    'Write',
    'Edit',
    'Glob',
    'Grep',
    'WebFetch',
    'Skill',
    'TaskCreate',
    'TaskUpdate',
    'TaskList',
    'TaskGet',
    'SendMessage',
    'EnterWorktree',
    'ExitWorktree',
    'AskUserQuestion',
    'NotebookEdit',
    'ToolSearch',
  ])('has %s', (name) => {
    expect(toolTable.map((tool) => tool.name)).toContain(name)
  })

  it.each([
    ['Task', 'Agent'],
    ['BashOutput', 'TaskOutput'],
    ['KillShell', 'TaskStop'],
  ])('knows %s as a former name of %s', (former, name) => {
    expect(toolTable.find((tool) => tool.aliases?.includes(former))?.name).toBe(name)
  })
})
