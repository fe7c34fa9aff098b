/** A type of subagent: what it is for, how it is told to work, which tools and model it has. */
import type { PermissionMode } from 'hookline'

export interface AgentDefinition {
  /** `general-purpose`; of a plugin `plugin:name`. */
  name: string
  description: string
  /** Its system text. */
  prompt: string
  /** Names of tools; absent: all. */
  tools?: readonly string[]
  withoutTools?: readonly string[]
  /** Name of a model, or `inherit`. */
  model?: string
  mode?: PermissionMode
  maxTurns?: number
  /** The file it was read from, whose front matter may hold hooks. */
  file?: string
  /** It came with a plugin: hooks of its file are not read. */
  fromPlugin?: boolean
  /** Hooks in the settings format, for types given in code or on the command line. */
  hooks?: object
  background?: boolean
  isolation?: 'worktree'
}

/** What every session has. */
export const builtInAgents: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'Researches questions and carries out tasks of several steps on its own.',
    prompt:
      'You carry out a task on your own, with the tools you have. Search before you conclude, do what was asked and nothing beyond it, and end with a short report of what you found or did.',
  },
  {
    name: 'Explore',
    description: 'Finds files, code and answers in a code base; changes nothing.',
    prompt: 'You explore a code base and change nothing. Find what was asked for, name the files and lines, and end with a short report.',
    withoutTools: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Agent'],
  },
  {
    name: 'Plan',
    description: 'Designs how a change should be made; changes nothing.',
    prompt: 'You plan a change and make none. Read what matters, then give the steps, the files they touch, and the risks.',
    withoutTools: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Agent'],
  },
]
