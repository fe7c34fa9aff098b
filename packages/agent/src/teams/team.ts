/** A team: subagents with a name that stay after their turn, wait for mail, and share the task list of the session. */
import type { Scope } from 'hookline'
import type { TaskList } from '../tools/tool.ts'

/** One letter; `from` is a teammate's name, or `team-lead`. */
export interface Letter {
  from: string
  text: string
}

export interface Teammate {
  readonly name: string
  readonly agentId: string
  /** What waits to be read. */
  readonly mailbox: Letter[]
  state: 'working' | 'idle' | 'gone'
}

export interface TeamContext {
  tasks: () => TaskList | undefined
  /** Tells the lead: a report, a letter, that somebody is idle. */
  tellLead: (text: string) => void
}

export interface Team {
  readonly members: ReadonlyMap<string, Teammate>
  join(name: string, agentId: string): Teammate
  /** Gives what became of the letter, in words. */
  send(letter: Letter & { to: string }): { delivered: boolean; message: string }
  /**
   * What a teammate does after its turn: its open tasks are checked, TeammateIdle is fired, then it waits for mail.
   * Gives the next prompt, or nothing when it is to end.
   */
  afterTurn(mate: Teammate, turn: { scope: Scope; signal: AbortSignal; report: string }): Promise<string | undefined>
  leave(mate: Teammate): void
}

export const lead = 'team-lead'

export function createTeam(context: TeamContext): Team {
  const members = new Map<string, Teammate>()
  const wakers = new Map<string, () => void>()

  const nextMail = async (mate: Teammate, signal: AbortSignal): Promise<string | undefined> => {
    while (mate.mailbox.length === 0) {
      if (signal.aborted) return undefined
      await new Promise<void>((done) => {
        wakers.set(mate.name, done)
        signal.addEventListener('abort', () => done(), { once: true })
      })
    }
    return mate.mailbox
      .splice(0)
      .map(({ from, text }) => `<teammate-message from="${from}">\n${text}\n</teammate-message>`)
      .join('\n\n')
  }

  return {
    members,
    join(name, agentId) {
      const mate: Teammate = { name, agentId, mailbox: [], state: 'working' }
      members.set(name, mate)
      return mate
    },
    send({ from, to, text }) {
      if (to === lead || to === 'main') {
        context.tellLead(`<teammate-message from="${from}">\n${text}\n</teammate-message>`)
        return { delivered: true, message: `Message sent to ${lead}.` }
      }
      const mate = members.get(to) ?? [...members.values()].find((one) => one.agentId === to)
      if (mate === undefined || mate.state === 'gone') {
        const names = [...members.values()].filter((one) => one.state !== 'gone').map((one) => one.name)
        return {
          delivered: false,
          message: `There is no teammate "${to}". ${names.length === 0 ? 'Nobody is in the team: start one with the Agent tool, a name, and run_in_background.' : `The team: ${names.join(', ')}.`}`,
        }
      }
      mate.mailbox.push({ from, text })
      wakers.get(mate.name)?.()
      return {
        delivered: true,
        message: `Message sent to ${mate.name}, who ${mate.state === 'idle' ? 'starts on it now' : 'reads it after the present turn'}.`,
      }
    },
    async afterTurn(mate, { scope, signal, report }) {
      const checked = await checkTasks(mate, { scope, signal, tasks: context.tasks() })
      if (checked !== undefined) return checked.kind === 'goes-on' ? checked.feedback : undefined
      const verdict = await scope.fire('TeammateIdle', { teammate_name: mate.name }, { signal })
      if (verdict.stop !== undefined) return undefined
      if (verdict.blocked) return `TeammateIdle hook feedback:\n${verdict.toModel}`
      mate.state = 'idle'
      if (mate.mailbox.length === 0) context.tellLead(`<teammate-idle name="${mate.name}">\n${report}\n</teammate-idle>`)
      const mail = await nextMail(mate, signal)
      if (mail === undefined) return undefined
      mate.state = 'working'
      return mail
    },
    leave(mate) {
      mate.state = 'gone'
      wakers.delete(mate.name)
    },
  }
}

type Checked = { kind: 'goes-on'; feedback: string } | { kind: 'stopped' }

/** A turn that ends with tasks in progress ends them, unless a hook of TaskCompleted says that they are not done. */
async function checkTasks(
  mate: Teammate,
  { scope, signal, tasks }: { scope: Scope; signal: AbortSignal; tasks: TaskList | undefined },
): Promise<Checked | undefined> {
  const open = (await tasks?.list())?.filter((task) => task.status === 'in_progress' && (task.owner === mate.name || task.owner === mate.agentId)) ?? []
  const feedback: string[] = []
  for (const task of open) {
    const fields = { task_id: task.id, task_subject: task.subject, task_description: task.description, teammate_name: mate.name }
    const verdict = await scope.fire('TaskCompleted', fields, { signal })
    if (verdict.stop !== undefined) return { kind: 'stopped' }
    if (verdict.blocked) feedback.push(`Task ${task.id} (${task.subject}) is not complete:\n${verdict.toModel}`)
    else await tasks?.update(task.id, { status: 'completed' })
  }
  return feedback.length === 0 ? undefined : { kind: 'goes-on', feedback: `TaskCompleted hook feedback:\n${feedback.join('\n\n')}` }
}
