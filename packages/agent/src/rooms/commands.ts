/** The room of slash commands and skills: what the person types after a slash, and what the model invokes. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { attachFrontMatter } from 'hookline/node'
import { type Command, type CommandPlaces, findCommands } from '../commands/find.ts'
import { InlineShellError } from '../commands/inline-shell.ts'
import { expandTyped, readSlash, type UseContext, useInvoked } from '../commands/use.ts'
import type { SessionHandle } from '../session/handle.ts'
import { type ToolContext, ToolError, type ToolResult } from '../tools/tool.ts'
import { watchSkills } from '../watch/skills.ts'
import type { Room } from './room.ts'

export interface CommandsRoomOptions extends Omit<CommandPlaces, 'cwd' | 'folders'> {
  /** Watches the files and takes changes over, unless a hook of ConfigChange blocks them. */
  watch: boolean
  /** Commands that the face answers itself, for the list in messages. */
  builtIn: readonly string[]
  /** Somebody vouched for the folder; else what its commands allow themselves counts for nothing. */
  trusted: boolean
}

const shellTimeoutMs = 2 * 60_000

export function commandsRoom(options: CommandsRoomOptions): Room & { commands(): ReadonlyMap<string, Command> } {
  let session: SessionHandle | undefined
  let commands: ReadonlyMap<string, Command> = new Map()
  let watcher: { close(): Promise<void> } | undefined
  const closing = new AbortController()
  const attached = new Set<string>()
  const reported = new Set<string>()

  const read = (opened: SessionHandle): void => {
    const found = findCommands({ ...options, cwd: opened.root, folders: opened.folders })
    commands = options.trusted ? found.commands : new Map([...found.commands].map(([name, command]) => [name, withoutOwnRules(command)]))
    for (const { file, message } of found.problems) {
      if (reported.has(`${file} ${message}`)) continue
      reported.add(`${file} ${message}`)
      opened.emit({ kind: 'notice', level: 'warning', text: `${file} is left out. ${message}` })
    }
  }
  const contextOf = (opened: SessionHandle, signal: AbortSignal): UseContext => ({
    scope: opened.scope,
    sessionId: opened.sessionId,
    signal,
    runShell: (command) => runShell(command, { cwd: opened.conversation.workspace.cwd, env: opened.env, signal }),
    permissions: opened.conversation.permissions.optionsFor(opened.conversation),
    newId: () => `skill_${randomBytes(8).toString('hex')}`,
    attachHooks: async (file) => {
      // The hooks of a skill are registered when it is first used and live to the end of the session.
      if (attached.has(`${opened.sessionId} ${file}`)) return
      attached.add(`${opened.sessionId} ${file}`)
      const { diagnostics } = await attachFrontMatter(opened.scope, file, { of: 'skill' })
      for (const one of diagnostics) if (one.severity !== 'info') opened.emit({ kind: 'notice', level: one.severity, text: one.message, diagnostic: one })
    },
  })

  return {
    commands: () => commands,
    services: {
      useSkill: async ({ skill, args }: { skill: string; args?: string }, { signal }: ToolContext): Promise<ToolResult> => {
        const command = commands.get(skill.replace(/^\//, ''))
        if (session === undefined || command === undefined || !command.invoked)
          throw new ToolError(`Unknown skill: ${skill}. ${listOf([...commands.values()].filter((one) => one.invoked))}`)
        try {
          const text = await useInvoked(command, args ?? '', contextOf(session, signal))
          session.conversation.reminders.push(text)
          return { response: { success: true, commandName: command.name }, text: `Launching skill: ${command.name}` }
        } catch (error) {
          throw error instanceof InlineShellError ? new ToolError(error.message) : error
        }
      },
    },
    async expander(prompt, { session: opened, signal }) {
      const slash = readSlash(prompt)
      if (slash === undefined) return undefined
      const command = commands.get(slash.name)
      if (command === undefined || !command.typed) {
        if (options.builtIn.includes(slash.name)) return undefined
        const known = [...[...commands.values()].filter((one) => one.typed).map((one) => one.name), ...options.builtIn]
        return {
          kind: 'prompt',
          context: `The message starts with /${slash.name}, but no command of that name is available here, so nothing was run. Available commands: ${known.map((name) => `/${name}`).join(', ')}. Answer the message as it is, or say which command was probably meant.`,
        }
      }
      const expanded = await expandTyped(command, { prompt, args: slash.args }, contextOf(opened, signal))
      if (expanded.kind !== 'expanded') return { kind: 'blocked', notice: expanded.notice }
      const name = {
        type: 'text' as const,
        text: `<command-message>${command.name}</command-message>\n<command-name>/${command.name}</command-name>\n<command-args>${slash.args}</command-args>`,
      }
      return { kind: 'prompt', blocks: [name, { type: 'text', text: expanded.text }], ...(expanded.context === '' ? {} : { context: expanded.context }) }
    },
    starter(_, opened, { reloadSkills }) {
      if (reloadSkills === true) read(opened)
      const invoked = [...commands.values()].filter((one) => one.invoked)
      if (invoked.length === 0) return []
      return [`Skills that the Skill tool can invoke:\n\n${invoked.map((one) => `- ${one.name}: ${one.description}`).join('\n')}`]
    },
    async open(opened) {
      session = opened
      read(opened)
      if (!options.watch) return
      const folders = [options.userFolder, ...(options.project === false ? [] : [join(opened.root, '.claude')])].flatMap((folder) => [
        join(folder, 'skills'),
        join(folder, 'commands'),
      ])
      watcher = await watchSkills({
        // Another one once the session is cleared.
        get scope() {
          return opened.scope
        },
        folders,
        reload: () => read(opened),
        signal: closing.signal,
      })
    },
    async close() {
      closing.abort(new Error('The session ended.'))
      await watcher?.close()
    },
  }
}

/** A folder grants nothing by itself: not by the rules of its settings, and not by those of its commands. */
const withoutOwnRules = (command: Command): Command => (command.source === 'projectSettings' ? { ...command, allowedTools: [] } : command)

const listOf = (commands: readonly Command[]): string =>
  commands.length === 0 ? 'No skills are available here.' : `Available: ${commands.map((one) => one.name).join(', ')}.`

function runShell(command: string, context: { cwd: string; env: Record<string, string | undefined>; signal: AbortSignal }): Promise<string> {
  return new Promise((done, fail) => {
    const { cwd, env, signal } = context
    const child = execFile(
      '/bin/sh',
      ['-c', command],
      { cwd, env, signal, timeout: shellTimeoutMs, maxBuffer: 1024 * 1024, encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error === null) done(stdout)
        else fail(new Error(stderr.trim() === '' ? error.message : stderr.trim()))
      },
    )
    child.stdin?.end()
  })
}
