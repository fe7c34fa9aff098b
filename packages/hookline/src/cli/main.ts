/** The entry of the command line: takes the words that were typed, gives the exit code. */
import { report } from './failure.ts'
import { fireAtOnce } from './fire-at-once.ts'
import { type GlobalOptions, splitModes } from './flags.ts'
import { readFire, readRun } from './quick.ts'
import { screenOf } from './screen-of.ts'
import { guardStreams, Terminal } from './terminal.ts'

/** Runs one command line. Never throws, never ends the process: the caller sets the exit code. */
export async function main(typed: readonly string[], { dist }: { dist: string }): Promise<number> {
  const argv = splitModes(typed)
  const request = readFire(argv)
  // Other commands print in ways of their own.
  if (request === undefined) guarded()
  const terminal = openTerminal(request?.options ?? guessForm(argv))
  try {
    if (request !== undefined) return await fireAtOnce(request, { terminal, dist })
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
  const stdout = screenOf(1, () => guarded().stdout)
  const stderr = screenOf(2, () => guarded().stderr)
  return new Terminal({ form, color, env: process.env, stdout, stderr })
}

let isGuarded = false

/** This process, whose streams may lose their reader. */
function guarded(): NodeJS.Process {
  if (!isGuarded) guardStreams(process)
  isGuarded = true
  return process
}

/** How to print must be known before the words are read: an error in them is printed too. */
function guessForm(argv: readonly string[]): Pick<GlobalOptions, 'json' | 'jsonLines' | 'color'> {
  return {
    color: !argv.includes('--no-color'),
    ...(argv.includes('--json') ? { json: true } : {}),
    ...(argv.includes('--json-lines') ? { jsonLines: true } : {}),
  }
}
