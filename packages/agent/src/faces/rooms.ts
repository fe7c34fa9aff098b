/** From the words of the command line to the rooms of a session: commands, instructions, MCP servers, watched files, worktrees, the team. */
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createHookline } from 'hookline/node'
import { builtInExpander, builtInNames, builtIns } from '../built-in/commands.ts'
import type { ConfirmSwitch } from '../built-in/model.ts'
import type { AskElicitation } from '../mcp/elicitation.ts'
import { commandsRoom } from '../rooms/commands.ts'
import { filesRoom } from '../rooms/files.ts'
import { type Joined, joinRooms } from '../rooms/join.ts'
import { mcpRoom } from '../rooms/mcp.ts'
import { managedFolder, memoryRoom } from '../rooms/memory.ts'
import { teamsRoom } from '../rooms/teams.ts'
import { variablesRoom } from '../rooms/variables.ts'
import { worktreesRoom } from '../rooms/worktrees.ts'
import type { SessionHandle } from '../session/handle.ts'
import { AgentError } from '../session/handle.ts'
import type { AgentOptions } from '../session/options.ts'
import { createWorktree, hasWork, removeWorktree, type Worktree, WorktreeError } from '../worktree/worktree.ts'
import type { Arguments } from './arguments.ts'
import type { Io } from './io.ts'

/** What a face adds: how the person answers. */
export interface Answers {
  elicit?: AskElicitation
  confirm?: ConfirmSwitch
}

/** The options with every room joined; `--bare` has none but MCP servers, worktrees and the team. */
export function withRooms(options: AgentOptions, given: Arguments, { io, answers = {} }: { io: Io; answers?: Answers }): Joined {
  const home = io.env['HOME'] ?? homedir()
  const userFolder = io.env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude')
  const cwd = options.cwd ?? io.cwd
  const bare = given.has('bare')
  const plugins = given.each('plugin-dir').map((folder) => ({ name: basename(resolve(cwd, folder)), folder: resolve(cwd, folder) }))
  const trusted = options.trust === 'implicit'
  const mcp = mcpRoom({
    configs: given.each('mcp-config'),
    strict: given.has('strict-mcp-config') || bare,
    trusted,
    plugins,
    ...(answers.elicit === undefined ? {} : { elicit: answers.elicit }),
  })
  const commands = commandsRoom({ userFolder, plugins, watch: options.watch === true, builtIn: builtInNames, trusted })
  const rooms = [
    mcp,
    worktreesRoom(),
    teamsRoom(),
    ...(bare ? [] : [memoryRoom({ home, userFolder, managedFolder: managedFolder(process.platform), trusted }), commands]),
    filesRoom(),
    variablesRoom(),
  ]
  const own: AgentOptions = {
    ...options,
    mcp: mcp.port,
    mcpServers: mcp.servers,
    commands: () => [...Object.keys(builtIns), ...commands.commands().keys()],
    expanders: [...(options.expanders ?? []), builtInExpander(answers.confirm)],
  }
  return joinRooms(own, rooms)
}

/** `--worktree`: the folder that the session starts in; the hooks of the present folder may make it. @throws AgentError. */
export async function startInWorktree(options: AgentOptions, given: Arguments): Promise<{ options: AgentOptions; worktree?: Worktree }> {
  if (!given.has('worktree')) return { options }
  const { cwd = process.cwd(), settings, sources, trust, env } = options
  const name = given.one('worktree') ?? `session-${Date.now().toString(36)}`
  await using scope = await createHookline({
    cwd,
    ...(settings === undefined ? {} : { settings }),
    ...(sources === undefined ? {} : { sources }),
    ...(trust === undefined ? {} : { trust }),
    ...(env === undefined ? {} : { env }),
  })
  try {
    const worktree = await createWorktree(name, { scope, cwd, signal: AbortSignal.timeout(10 * 60_000) })
    return { options: { ...options, cwd: worktree.path }, worktree }
  } catch (error) {
    throw error instanceof WorktreeError ? new AgentError(error.message) : error
  }
}

/** At the end of a session in a worktree of its own: one that nothing was done in goes, another stays. Gives what became of it, in words. */
export async function leaveWorktree(worktree: Worktree, { scope }: SessionHandle): Promise<string> {
  const { path, branch, madeBy } = worktree
  const stays = `The worktree stays: ${path}${branch === undefined ? '' : `, branch ${branch}`}.`
  try {
    if (madeBy === 'hook' || (await hasWork(worktree))) return stays
    await removeWorktree(worktree, { scope, signal: AbortSignal.timeout(30_000), discard: false })
    return `Nothing was done in the worktree ${path}; it is gone.`
  } catch (error) {
    return `${stays} ${error instanceof Error ? error.message : String(error)}`
  }
}
