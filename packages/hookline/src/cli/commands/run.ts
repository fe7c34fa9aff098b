/** `hookline run`: hands the words and this process's streams to the reference agent, which is a package of its own. */
import type { CommandContext } from '../context.ts'
import { exits } from '../exits.ts'
import { Failure } from '../failure.ts'

// Named at run time: the agent builds on this package, and may not be installed.
const door = '@hookline/agent/run'

interface AgentDoor {
  run(argv: readonly string[], io: object): Promise<number>
}

/** Gives the agent's exit code. @throws Failure when the agent is not installed. */
export async function run(argv: readonly string[], _context: CommandContext): Promise<number> {
  const agent = await load()
  return agent.run(argv, {
    stdin: process.stdin,
    screen: process.stdout,
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    shown: process.stdout.isTTY === true,
    terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
    quit: (code: number) => process.exit(code),
  })
}

async function load(): Promise<AgentDoor> {
  try {
    return (await import(door)) as AgentDoor
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' || !String((error as Error).message).includes('@hookline/agent')) throw error
    throw new Failure('agent-missing', 'the agent is not installed.', { exit: exits.findings, hint: 'Add it with `npm install @hookline/agent`.' })
  }
}
