/** Agent: hands a task to a subagent, which has a conversation of its own. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

export const agent = defineTool({
  name: 'Agent',
  aliases: ['Task'],
  description: [
    'Starts a subagent with a task of its own. It knows nothing of this conversation: say everything it needs in the prompt, and what it must report.',
    'It runs in the background, and you are told when it is done; with run_in_background false the call waits for its report.',
  ].join('\n'),
  kind: 'other',
  needs: 'spawnAgent',
  schema: z.strictObject({
    description: z.string().describe('The task in three to five words'),
    prompt: z.string().min(1).describe('The whole task'),
    subagent_type: z.string().optional().describe('The kind of agent; default general-purpose'),
    model: z.string().optional().describe('Another model, by name or as opus, sonnet, haiku'),
    run_in_background: z.boolean().optional().describe('false: wait for the report'),
    isolation: z.enum(['worktree']).optional().describe('worktree: its own copy of the repository'),
    name: z.string().optional().describe('Makes it a teammate that SendMessage reaches'),
  }),
  responseBlocks: true,
  async execute(input, context) {
    const { spawnAgent } = context.workspace.services
    if (spawnAgent === undefined) throw new ToolError('Subagents cannot be started here.')
    return spawnAgent(
      {
        description: input.description,
        prompt: input.prompt,
        subagentType: input.subagent_type ?? 'general-purpose',
        background: input.run_in_background ?? true,
        ...(input.model === undefined ? {} : { model: input.model }),
        ...(input.isolation === undefined ? {} : { isolation: input.isolation }),
        ...(input.name === undefined ? {} : { name: input.name }),
      },
      context,
    )
  },
})
