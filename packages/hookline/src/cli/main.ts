/** The entry of the command line: takes the words that were typed, gives the exit code. */
import { fire } from './commands/fire.ts'
import { report } from './failure.ts'
import { type GlobalOptions, splitModes } from './flags.ts'
import { readFire, readRun } from './quick.ts'
import { guardStreams, Terminal } from './terminal.ts'

/** Runs one command line. Never throws, never ends the process: the caller sets the exit code. */
export async function main(typed: readonly string[], { dist }: { dist: string }): Promise<number> {
  guardStreams(process)
  const argv = splitModes(typed)
  const request = readFire(argv)
  const terminal = openTerminal(request?.options ?? guessForm(argv))
  try {
    if (request !== undefined) return await fire(request.event, request.options, { terminal, dist })
    const agent = readRun(argv)
    if (agent !== undefined) return await (await import('./commands/run.ts')).run(agent, { terminal, dist })
    const { runProgram } = await import('./program.ts')
    return await runProgram(argv, { terminal, dist })
  } catch (error) {
    return report(error, terminal, argv.includes('--verbose'))
  }
}

function openTerminal({ json, jsonLines, color }: Pick<GlobalOptions, 'json' | 'jsonLines' | 'color'>): Terminal {
  const form = jsonLines ? 'lines' : json ? 'document' : 'text'
  return new Terminal({ form, color, env: process.env, stdout: process.stdout, stderr: process.stderr })
}

/** How to print must be known before the words are read: an error in them is printed too. */
function guessForm(argv: readonly string[]): Pick<GlobalOptions, 'json' | 'jsonLines' | 'color'> {
  return {
    color: !argv.includes('--no-color'),
    ...(argv.includes('--json') ? { json: true } : {}),
    ...(argv.includes('--json-lines') ? { jsonLines: true } : {}),
  }
}
