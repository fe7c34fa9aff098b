/** The slash commands that the agent answers itself, without the model. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PermissionMode } from 'hookline'
import type { SessionHandle } from '../session/handle.ts'
import type { Expander } from '../session/options.ts'
import { hookListing } from './hooks.ts'
import { type ConfirmSwitch, switchModel } from './model.ts'
import { sessionListing } from './sessions.ts'

export interface BuiltInContext {
  session: SessionHandle
  args: string
  confirm?: ConfirmSwitch
}

export interface BuiltIn {
  summary: string
  arguments?: string
  answer(context: BuiltInContext): Promise<string> | string
}

const modes: readonly PermissionMode[] = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']

/** By name. `/compact`, `/clear` and `/exit` are the session's and the face's own. */
export const builtIns: Readonly<Record<string, BuiltIn>> = {
  help: {
    summary: 'this list',
    answer: ({ session }) => {
      const own = Object.entries(builtIns).map(
        ([name, { summary, arguments: words }]) => [`/${name}${words === undefined ? '' : ` ${words}`}`, summary] as const,
      )
      const rest = [
        ['/compact [what to keep]', 'put a summary in the place of the conversation'],
        ['/clear', 'begin an empty conversation'],
        ['/exit', 'end the session'],
      ] as const
      const rows = [...own, ...rest]
      const width = Math.max(...rows.map(([name]) => name.length))
      const files = session.commands().filter((name) => !builtInNames.includes(name))
      return [
        ...rows.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`),
        ...(files.length === 0 ? [] : ['', `Commands and skills: ${files.map((name) => `/${name}`).join(', ')}`]),
      ].join('\n')
    },
  },
  hooks: {
    summary: 'the hooks of this session, with their sources and trust',
    arguments: '[event]',
    answer: ({ session, args }) => hookListing(session.hookline, args),
  },
  model: {
    summary: 'show or change the model',
    arguments: '[name]',
    answer: async ({ session, args, confirm }) => {
      const { conversation } = session
      if (args === '') return `The model is ${conversation.modelName ?? conversation.model.name} (${conversation.model.label}).`
      const { text } = await switchModel(session, args, { source: 'command', ...(confirm === undefined ? {} : { confirm }) })
      return text
    },
  },
  mode: {
    summary: 'show or change the permission mode',
    arguments: '[mode]',
    answer: ({ session, args }) => {
      if (args === '') return `The permission mode is ${session.mode}. The modes are ${modes.join(', ')}.`
      const mode = modes.find((one) => one.toLowerCase() === args.toLowerCase())
      if (mode === undefined) return `"${args}" is no permission mode. The modes are ${modes.join(', ')}.`
      session.mode = mode
      return `The permission mode is ${mode} now.`
    },
  },
  'add-dir': {
    summary: 'work in one more folder',
    arguments: 'folder',
    answer: ({ session, args }) => {
      if (args === '') return 'Name the folder: /add-dir ../other'
      const folder = resolve(session.conversation.workspace.cwd, args)
      if (!existsSync(folder) || !statSync(folder).isDirectory()) return `${folder} is no folder.`
      session.addFolder(folder, 'slash_command')
      return `Added ${folder} as a working directory for this session.`
    },
  },
  resume: {
    summary: 'go on with a stored session, or list them',
    arguments: '[id]',
    answer: async ({ session, args }) => {
      if (args === '') return sessionListing(session)
      await session.resume(args)
      return `Going on with session ${args}.`
    },
  },
  cost: { summary: 'tokens used so far', answer: ({ session }) => usageText(session) },
  status: {
    summary: 'session, folder, model, mode',
    answer: ({ session }) => {
      const { conversation } = session
      return [
        `session   ${session.sessionId}`,
        `folder    ${conversation.workspace.cwd}${session.folders.length === 0 ? '' : ` and ${session.folders.join(', ')}`}`,
        `model     ${conversation.model.label}`,
        `mode      ${session.mode}`,
        `context   ${conversation.tokens} tokens`,
        `hooks     ${session.hookline.list().length}`,
      ].join('\n')
    },
  },
  context: {
    summary: 'how full the conversation is',
    answer: ({ session: { conversation } }) => `${conversation.messages.length} messages, ${conversation.tokens} tokens with the last answer.`,
  },
  agents: {
    summary: 'kinds of subagents',
    answer: ({ session }) => [...session.agents.values()].map(({ name, description }) => `${name}: ${description}`).join('\n'),
  },
  mcp: {
    summary: 'MCP servers',
    answer: ({ session }) =>
      session
        .mcpServers()
        .map(({ name, status }) => `${name}: ${status}`)
        .join('\n') || 'No MCP servers. Give some with --mcp-config or a .mcp.json file.',
  },
  tasks: {
    summary: 'what runs in the background',
    answer: ({ session }) =>
      session.background.map(({ id, status, description }) => `${id} ${status}: ${description}`).join('\n') || 'Nothing runs in the background.',
  },
}

export const builtInNames: readonly string[] = [...Object.keys(builtIns), 'compact', 'clear', 'reset', 'new', 'exit', 'quit']

/** Reads prompts for these commands. */
export function builtInExpander(confirm?: ConfirmSwitch): Expander {
  return async (prompt, { session }) => {
    const found = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim())
    const command = found === null || !Object.hasOwn(builtIns, found[1] as string) ? undefined : builtIns[found[1] as string]
    if (command === undefined) return undefined
    const text = await command.answer({ session, args: found?.[2]?.trim() ?? '', ...(confirm === undefined ? {} : { confirm }) })
    return { kind: 'done', text }
  }
}

function usageText({ conversation }: SessionHandle): string {
  const { input, output } = conversation.usage
  return `Usage: ${input} input, ${output} output tokens.`
}
