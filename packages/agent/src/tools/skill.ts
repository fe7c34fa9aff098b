/** Skill: loads a skill or command by its name. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

export const skill = defineTool({
  name: 'Skill',
  description: 'Loads a skill: instructions for a kind of work. Use it when a listed skill fits what was asked, before anything else.',
  kind: 'other',
  needs: 'useSkill',
  schema: z.strictObject({
    skill: z.string().min(1).describe('Its name, without a slash'),
    args: z.string().optional().describe('What is put in for $ARGUMENTS'),
  }),
  async execute({ skill: name, args }, context) {
    const { useSkill } = context.workspace.services
    if (useSkill === undefined) throw new ToolError('There are no skills in this conversation.')
    return useSkill({ skill: name.replace(/^\//, ''), ...(args === undefined ? {} : { args }) }, context)
  },
})
