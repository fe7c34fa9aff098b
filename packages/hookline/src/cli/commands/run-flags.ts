/** The options of `run` for shell completion: the agent has them as data, when it is installed. */
import type { Completes, Flag } from '../flags.ts'

// Named at run time, as the agent itself is.
const door = '@hookline/agent/flags'

interface AgentFlag {
  readonly names: readonly string[]
  readonly short?: string
  readonly takes?: 'one' | 'many' | 'maybe'
  readonly repeat?: true
  readonly choices?: readonly string[]
  readonly completes?: Completes
  readonly summary: string
}

/** Undefined when the agent is not installed, or is one without this list. */
export async function agentFlags(): Promise<readonly Flag[] | undefined> {
  try {
    const { runFlags } = (await import(door)) as { runFlags: readonly AgentFlag[] }
    return runFlags.map(({ names, short, takes, ...rest }) => ({
      ...rest,
      flags: takes === 'one' || takes === 'many' ? `--${names[0]} <value>` : `--${names[0]}`,
      ...(short === undefined ? {} : { short: `-${short}` }),
    }))
  } catch {
    return undefined
  }
}
