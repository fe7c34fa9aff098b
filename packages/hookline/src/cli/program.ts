/** The whole command line, read by commander: help, versions, every command but a plain `fire`, and what is wrong with the words. */
import { Command, CommanderError, Option } from 'commander'
import { type CommandEntry, commands, type Word } from './command-table.ts'
import type { CommandContext } from './context.ts'
import { type Exit, exits } from './exits.ts'
import { Failure } from './failure.ts'
import { type Flag, globalFlags } from './flags.ts'
import { packageVersion } from './package-version.ts'

/** Words of commands that later versions will have. */
const later: readonly string[] = ['test', 'replay', 'bridge', 'convert', 'inspect', 'serve']

/** Reads the words, runs the command, gives its exit code. @throws Failure for words that cannot be read. */
export async function runProgram(argv: readonly string[], context: CommandContext): Promise<number> {
  refuseLater(argv)
  let exit: number = exits.goOn
  const said = { out: '', err: '' }
  const program = build({ context, done: (code) => (exit = code), said })
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return endOf(error, said, context)
  }
  return exit
}

/** Help and versions are results; everything else commander stops at is a usage error. */
function endOf(error: CommanderError, said: { out: string; err: string }, { terminal, dist }: CommandContext): Exit {
  if (error.code === 'commander.version') {
    const version = packageVersion(dist)
    terminal.show({ version: 1, kind: 'version', hookline: version, node: process.versions.node }, () => version)
    return exits.goOn
  }
  if (error.exitCode === 0) {
    terminal.show({ version: 1, kind: 'help', text: said.out }, () => said.out)
    return exits.goOn
  }
  if (error.code === 'commander.help') {
    terminal.note(said.err)
    throw new Failure('missing-command', 'name a command.', { hint: 'The commands are listed above.' })
  }
  const [first = '', ...more] = said.err.trim().split('\n')
  const hint = more.join(' ').trim() || (first.includes("'--json=") ? 'Give --json alone, or --json=lines.' : 'See `hookline --help`.')
  throw new Failure('usage', `${first.replace(/^error: /, '').replace(/\.?$/, '')}.`, { hint: hint.replace(/^\((.*)\)$/, '$1') })
}

interface Building {
  readonly context: CommandContext
  readonly done: (exit: number) => void
  readonly said: { out: string; err: string }
}

function build(building: Building): Command {
  const { said } = building
  const program = new Command('hookline')
    .description('Runs lifecycle hooks for AI agents.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        said.out += text
      },
      writeErr: (text) => {
        said.err += text
      },
      getOutHelpWidth: () => process.stdout.columns ?? 100,
      getErrHelpWidth: () => process.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .version('', '--version', 'print the version')
    .helpOption('-h, --help', 'say what a command does')
    .addHelpText('after', '\nExit codes: 0 go on, 1 findings, 2 refused, 64 usage, 70 internal, 130 interrupted.\nExample: hookline init')
  for (const flag of globalFlags) program.addOption(option(flag))
  for (const entry of commands) addCommand(program, entry, building)
  program
    .command('__complete', { hidden: true })
    .allowUnknownOption()
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { complete } = await import('./commands/complete.ts')
      building.done(await complete(words, building.context))
    })
  return program
}

function addCommand(parent: Command, entry: CommandEntry, building: Building): void {
  const command = parent.command(entry.name).description(entry.summary).addHelpText('after', `\nExample:\n  ${entry.example}`)
  for (const word of entry.words) addWord(command, word)
  for (const flag of entry.flags) command.addOption(option(flag))
  for (const inner of entry.commands ?? []) addCommand(command, inner, building)
  const { run } = entry
  if (run === undefined) return
  command.action(async () => {
    building.done(await run(command.processedArgs, command.optsWithGlobals() as never, building.context))
  })
}

function addWord(command: Command, word: Word): void {
  const argument = command.createArgument(word.name, word.summary)
  if (word.choices !== undefined) argument.choices(word.choices)
  command.addArgument(argument)
}

function option(flag: Flag): Option {
  const made = new Option(flag.flags, flag.summary)
  if (flag.choices !== undefined) made.choices(flag.choices)
  // argParser() puts away the check that choices() made, so that check is called by hand.
  const check = made.parseArg
  if (flag.repeat)
    made.argParser((value: string, before: string[] | undefined) => {
      check?.(value, undefined)
      return [...(before ?? []), value]
    })
  if (flag.hidden) made.hideHelp()
  return made
}

/** A command of the manual that is not built yet should not look like a typing mistake. */
function refuseLater(argv: readonly string[]): void {
  const first = argv.find((word) => !word.startsWith('-'))
  if (first === undefined || !later.includes(first)) return
  throw new Failure('not-yet', `"${first}" is not part of this version.`, { hint: 'See `hookline --help` for what there is.' })
}
