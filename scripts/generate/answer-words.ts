/** How each power is said: by a hook in code, and as JSON on standard output. */

import type { NamedRow } from '../../packages/hookline/src/protocol/events.ts'
import { type AnswerKey, answerKeys, behaviorsOf, type Power, type PowerKey } from '../../packages/hookline/src/protocol/powers.ts'
import { either } from './markdown.ts'

/** One line of an event's table of answers. */
export interface Saying {
  readonly code: string
  wire: string
  readonly does: string
}

const does: Record<PowerKey, string> = {
  context: 'Text for the model.',
  updatedInput: 'Replaces the whole input; the last in configuration order wins.',
  updatedOutput: "Replaces the tool's output, in the shape that the tool has.",
  updatedPermissions: 'Changes of the permission rules; only with allow.',
  interrupt: 'Stops the agent as well; only with deny.',
  retry: 'Tells the model that it may try again; the refusal stands.',
  reloadSkills: 'Reads the skills anew.',
  suppressOriginalPrompt: 'Leaves out the prompt itself.',
  displayContent: 'What is drawn instead; the model and the transcript keep the original.',
  worktreePath: 'Where the worktree is.',
  sessionTitle: 'The title of the session.',
  initialUserMessage: 'Becomes the first prompt when nobody is there to type one.',
  watchPaths: 'Files to watch, as absolute paths; an empty list clears them.',
  elicitation: 'Answers the server in place of the person.',
  classifierContext: 'Text for the classifier of auto mode; 2,000 characters from all hooks together.',
}

const specific = (inside: string) => `\`hookSpecificOutput\`: ${inside}`

/** Powers that the wire does not spell as one field of `hookSpecificOutput`. */
function special(power: Power): Saying[] | undefined {
  switch (power) {
    case 'permission':
    case 'confirm':
    case 'veto': {
      const more = {
        permission: ' The older `decision: "approve"` and `"block"` are read as allow and deny.',
        confirm: ' `decision: "block"` is read as deny.',
        veto: ' ask, defer and a rewrite are read as deny.',
      }[power]
      return [
        {
          code: `\`permission: ${behaviorsOf[power].map((one) => `'${one}'`).join(' | ')}\`, \`reason\``,
          wire: specific(`\`permissionDecision\` ${either(behaviorsOf[power])}, \`permissionDecisionReason\``),
          does: `Decides about the step; the strictest hook wins.${more}`,
        },
      ]
    }
    case 'grant':
      return [
        {
          code: "`permission: 'allow' | 'deny'`, `reason`",
          wire: specific('`decision` with `behavior` `allow` or `deny`, and `message`'),
          does: 'Answers in place of the person; deny wins.',
        },
      ]
    case 'block':
      return [{ code: '`block: reason`', wire: '`decision: "block"`, `reason`', does: 'Blocks, see above.' }]
    case 'stop':
      return [{ code: '`stop: reason`', wire: '`continue: false`, `stopReason`', does: 'The turn ends after this step, whatever happens to the step.' }]
    case 'elicitation':
      return [{ code: '`elicitation: { action, content }`', wire: specific('`action` `accept`, `decline` or `cancel`, and `content`'), does: does.elicitation }]
    default:
      return undefined
  }
}

/** All that a hook may say to an event, in the order of its powers. */
export function sayings(row: NamedRow): Saying[] {
  const said = row.powers.flatMap((power): Saying[] => {
    const found = special(power)
    if (found !== undefined) return found
    const key = power as PowerKey
    const inDecision = row.powers.includes('grant') && ['updatedInput', 'updatedPermissions', 'interrupt'].includes(key)
    const spec: AnswerKey = answerKeys[key]
    return [{ code: `\`${key}\``, wire: specific(inDecision ? `\`decision\` with \`${key}\`` : `\`${spec.wire ?? key}\``), does: does[key] }]
  })
  if (row.discards === 'all') for (const one of said) one.wire = 'Exit code only.'
  if (row.discards !== 'all' && row.messageTo !== 'nobody')
    said.push({ code: '`message`', wire: '`systemMessage`', does: `A line for ${row.messageTo === 'user' ? 'the person' : 'the model'}.` })
  said.push({ code: '`terminalSequence`', wire: '`terminalSequence`', does: 'A title, notification or bell for the terminal.' })
  return said
}
