/** The hooks of an agent's own file or definition: there while it runs, and gone with it. */
import type { Hooks, Scope } from 'hookline'
import { attachFrontMatter } from 'hookline/node'
import type { Emit } from '../events.ts'
import type { AgentDefinition } from './definition.ts'

export interface AgentHookContext {
  emit: Emit
  /** It is the main conversation itself: its stop stays a Stop. */
  main?: boolean
}

/** Attaches them to the agent's scope; gives what takes them back. */
export async function attachAgentHooks(
  scope: Scope,
  { file, fromPlugin, hooks, name }: AgentDefinition,
  { emit, main = false }: AgentHookContext,
): Promise<() => void> {
  const undos: (() => void)[] = []
  if (hooks !== undefined) undos.push(scope.on((main ? hooks : asSubagent(hooks)) as Hooks))
  if (file !== undefined) {
    const attached = await attachFrontMatter(scope, file, { of: main ? 'skill' : 'agent', ...(fromPlugin === undefined ? {} : { fromPlugin }) })
    undos.push(attached)
    for (const { severity, message } of attached.diagnostics)
      if (severity !== 'info') emit({ kind: 'notice', level: severity, text: `Agent ${name}: ${message}` })
  }
  return () => {
    for (const undo of undos) undo()
  }
}

/** A subagent's own stop is SubagentStop. */
function asSubagent(hooks: object): object {
  const { Stop: stop, ...rest } = hooks as { Stop?: unknown[]; SubagentStop?: unknown[] }
  return stop === undefined ? rest : { ...rest, SubagentStop: [...(rest.SubagentStop ?? []), ...stop] }
}
