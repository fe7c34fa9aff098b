/** The room of the team: named background subagents that answer to mail. */
import type { SessionHandle } from '../session/handle.ts'
import { createTeam, lead, type Team } from '../teams/team.ts'
import { ToolError, type ToolResult } from '../tools/tool.ts'
import type { Room } from './room.ts'

export function teamsRoom(): Room & { team: Team } {
  let session: SessionHandle | undefined
  const team = createTeam({
    tasks: () => session?.conversation.workspace.services.tasks,
    tellLead: (text) => {
      if (session === undefined) return
      session.inbox.push({ text, source: 'system' })
      session.emit({ kind: 'wake' })
    },
  })
  return {
    team,
    open(opened) {
      session = opened
    },
    services: {
      joinTeam: (name, agentId) => {
        const mate = team.join(name, agentId)
        return { afterTurn: (turn) => team.afterTurn(mate, turn), leave: () => team.leave(mate) }
      },
      async sendMessage({ to, message, summary }, { workspace }): Promise<ToolResult> {
        const from = [...team.members.values()].find((mate) => mate.agentId === workspace.agentId)?.name ?? workspace.agentId ?? lead
        const { delivered, message: text } = team.send({ from, to, text: summary === undefined ? message : `${summary}\n\n${message}` })
        if (!delivered && session?.continueAgent(to, message) === true) {
          const going = `Agent ${to} goes on with your message; its report comes by itself.`
          return { response: { success: true, message: going }, text: going }
        }
        if (!delivered) throw new ToolError(text)
        return { response: { success: true, message: text }, text }
      },
    },
  }
}
