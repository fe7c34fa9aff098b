/** AskUserQuestion: lets the person choose. A hook may have given the answers already, in `answers`. */
import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

const question = z.strictObject({
  question: z.string().min(1),
  header: z.string().describe('A label of at most twelve characters'),
  options: z
    .array(z.strictObject({ label: z.string().min(1), description: z.string() }))
    .min(2)
    .max(4),
  multiSelect: z.boolean().optional(),
})

export const askUserQuestion = defineTool({
  name: 'AskUserQuestion',
  description:
    'Asks the person up to four questions with two to four choices each; they may also answer in their own words. Only for what you cannot decide or find out.',
  kind: 'other',
  needs: 'askUser',
  schema: z.strictObject({
    questions: z.array(question).min(1).max(4),
    answers: z.record(z.string(), z.string()).optional().describe('Filled in for you; leave it out'),
  }),
  async execute({ questions, answers: given }, { workspace, signal }) {
    const asked = questions.map((it) => ({ ...it, multiSelect: it.multiSelect ?? false }))
    const known = given ?? {}
    const open = asked.filter((it) => !Object.hasOwn(known, it.question))
    if (open.length > 0 && workspace.services.askUser === undefined) throw new ToolError('There is nobody to ask. Decide yourself, and say what you assumed.')
    const answers = open.length === 0 ? known : { ...known, ...(await workspace.services.askUser?.(open, { signal })) }
    const told = asked.map((it) => `"${it.question}"="${answers[it.question] ?? ''}"`).join(', ')
    return { response: { questions: asked, answers }, text: `User has answered your questions: ${told}. You can now continue with the user's answers in mind.` }
  },
})
