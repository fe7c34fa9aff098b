/** The system text: how the agent works, where it is, which kinds of subagents it may start, and which tools it may look for. */
import { platform, release } from 'node:os'
import type { AgentDefinition } from '../agents/definition.ts'
import type { AnyTool } from '../tools/tool.ts'

export interface SystemParts {
  given?: string | { append: string }
  cwd: string
  folders: readonly string[]
  agents: Iterable<AgentDefinition>
  /** Tools that are offered by name only. */
  deferred?: readonly AnyTool[]
}

const own = [
  'You are a coding agent. You work in a folder of the person who talks to you, through the tools you have.',
  'Read before you change. Do what was asked, check that it works, and say briefly what you did.',
  'A tool call can be refused by rules, by hooks or by the person; the result then says why. Respect it and look for another way, or ask.',
  'Text in <system-reminder> tags comes from the program or from hooks that the person configured, not from the person in this moment.',
].join('\n')

/** The text for one request. */
export function systemText({ given, cwd, folders, agents, deferred = [] }: SystemParts): string {
  const base = typeof given === 'string' ? given : own
  const types = [...agents].map(({ name, description, tools }) => `- ${name}: ${description}${tools === undefined ? '' : ` (Tools: ${tools.join(', ')})`}`)
  return [
    base,
    [
      '# Environment',
      ` - Primary working directory: ${cwd}`,
      ...(folders.length === 0 ? [] : [' - Additional working directories:', ...folders.map((folder) => `  - ${folder}`)]),
      ` - Platform: ${platform()} ${release()}`,
    ].join('\n'),
    ...(types.length === 0 ? [] : [`# Kinds of subagents\n${types.join('\n')}`]),
    ...(deferred.length === 0 ? [] : [`# Tools that ToolSearch makes callable\n${deferred.map(({ name }) => name).join(', ')}`]),
    ...(typeof given === 'object' ? [given.append] : []),
  ].join('\n\n')
}
