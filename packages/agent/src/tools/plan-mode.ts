/** EnterPlanMode and ExitPlanMode: plan first, act when the person has said yes to the plan. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

export const enterPlanMode = defineTool({
  name: 'EnterPlanMode',
  description: 'Goes over to planning: nothing is changed until the person has accepted the plan. For work that can be done in several ways.',
  kind: 'other',
  needs: 'askUser',
  schema: z.strictObject({}),
  async execute(_input, { workspace }) {
    const { setMode, askUser } = workspace.services
    // With nobody to accept the plan there would be no way out of the mode.
    if (setMode === undefined || askUser === undefined || workspace.agentId !== undefined)
      throw new ToolError('The mode cannot be changed in this conversation.')
    setMode('plan')
    const message = 'Entered plan mode. Explore, write the plan, and show it with ExitPlanMode; change nothing until then.'
    return { response: { message }, text: message }
  },
})

const yes = 'Yes, go on'

export const exitPlanMode = defineTool({
  name: 'ExitPlanMode',
  description: 'Shows the finished plan to the person. When they say yes, plan mode ends and the work begins. Only in plan mode.',
  kind: 'other',
  needs: 'askUser',
  schema: z.strictObject({ plan: z.string().min(1).describe('The plan, in Markdown'), planFilePath: z.string().optional() }),
  async execute({ plan }, { workspace, signal }) {
    const { setMode, askUser } = workspace.services
    if (setMode === undefined || workspace.agentId !== undefined) throw new ToolError('The mode cannot be changed in this conversation.')
    if (askUser === undefined) throw new ToolError('There is nobody who could accept the plan. Give it as your answer, and change nothing.')
    const question = `Go on with this plan?\n\n${plan}`
    const options = [
      { label: yes, description: 'Plan mode ends and the work begins' },
      { label: 'No, plan on', description: 'Nothing is changed' },
    ]
    const answer = (await askUser([{ question, header: 'Plan', options, multiSelect: false }], { signal }))[question]
    if (answer !== yes)
      throw new ToolError(
        `The person does not accept the plan${answer === undefined || answer === options[1]?.label ? '' : ` and says: ${answer}`}. Stay in plan mode and better it.`,
      )
    setMode('default')
    return { response: { plan, isAgent: false, filePath: null }, text: `User has approved your plan. You can now start.\n\n## Approved Plan:\n${plan}` }
  },
})
