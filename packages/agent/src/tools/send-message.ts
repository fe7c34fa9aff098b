/** SendMessage: writes to a teammate, a running subagent, or the lead of the team. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

export const sendMessage = defineTool({
  name: 'SendMessage',
  description: 'Sends a message to a teammate by name, to a subagent by id, or to "team-lead". Only what you send is seen; your other text is not.',
  kind: 'other',
  needs: 'sendMessage',
  schema: z.strictObject({
    to: z.string().min(1),
    message: z.string().min(1),
    summary: z.string().optional().describe('The message in five to ten words'),
  }),
  async execute({ to, message, summary }, context) {
    const { sendMessage: send } = context.workspace.services
    if (send === undefined) throw new ToolError('There is nobody to send messages to.')
    return send({ to, message, ...(summary === undefined ? {} : { summary }) }, context)
  },
})
