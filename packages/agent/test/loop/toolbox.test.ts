/** Which tools a conversation is offered: all, those that it finds, those that its kind names. */
import { expect, test } from 'vitest'
import { createToolbox } from '../../src/loop/toolbox.ts'
import { toolTable } from '../../src/tools/table.ts'
import type { Services } from '../../src/tools/tool.ts'
import { setStage } from '../stage.ts'

const services: Services = { enterWorktree: async () => ({ response: '', text: '' }) }
const offered = (toolbox: ReturnType<typeof createToolbox>) => toolbox.specs(services).map(({ name }) => name)

test('a tool that is found later is not offered at first, and named as one to look for if it can work', () => {
  const toolbox = createToolbox(toolTable)
  expect(offered(toolbox)).not.toContain('NotebookEdit')
  expect(toolbox.deferred(services).map(({ name }) => name)).toEqual(['NotebookEdit', 'EnterWorktree'])
  toolbox.reveal(['NotebookEdit'])
  expect(offered(toolbox)).toContain('NotebookEdit')
})

test.each<[string, readonly string[] | undefined, readonly string[]]>([
  ['its kind names it', ['Read', 'NotebookEdit', 'ToolSearch'], []],
  ['nothing could find it', undefined, ['ToolSearch']],
])('it is offered at once where %s', (_, only, without) => {
  const toolbox = createToolbox(toolTable, only)
  toolbox.remove(without)
  expect(offered(toolbox)).toContain('NotebookEdit')
  expect(toolbox.deferred()).toEqual([])
})

test('the model is told the names, finds a tool with ToolSearch and calls it', async () => {
  const stage = await setStage({ turns: [[{ tool: 'ToolSearch', input: { query: 'select:NotebookEdit' } }], 'done'] })
  const { agent } = await stage.open()
  await agent.ask('go')
  const [first, second] = stage.requests.map(({ body }) => body)
  expect(JSON.stringify(first?.system)).toContain('# Tools that ToolSearch makes callable\\nNotebookEdit')
  expect(first?.tools?.map(({ name }) => name)).not.toContain('NotebookEdit')
  expect(second?.tools?.map(({ name }) => name)).toContain('NotebookEdit')
  expect(JSON.stringify(second?.system)).not.toContain('makes callable')
})
