/** The quick reading of `fire` and commander never disagree: what the one reads, the other reads the same. */
import { Command, Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { type Flag, globalFlags, inputFlags, splitModes } from '../../src/cli/flags.ts'
import { readFire } from '../../src/cli/quick.ts'

/** `fire` as program.ts gives it to commander. */
function readByCommander(argv: readonly string[]): unknown {
  const add = (command: Command, flags: readonly Flag[]) => {
    for (const flag of flags) {
      const option = new Option(flag.flags)
      if (flag.repeat) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])
      command.addOption(option)
    }
    return command
  }
  let read: unknown
  const program = add(new Command().exitOverride(), globalFlags)
  const fire = add(program.command('fire').argument('<event>'), inputFlags)
  fire.action((event: string) => {
    read = { event, options: fire.optsWithGlobals() }
  })
  program.parse([...argv], { from: 'user' })
  return read
}

const plain: string[][] = [
  ['fire', 'Stop'],
  ['fire', 'Stop', '--json'],
  ['--json', 'fire', 'Stop'],
  ['fire', '--json', 'Stop'],
  ['fire', 'Stop', '--json=lines'],
  ['fire', 'PreToolUse', '--tool', 'Bash', '--tool-input', '{"command":"ls"}'],
  ['fire', 'PreToolUse', '--tool=Bash', '--tool-input={"command":"a=b"}'],
  ['fire', 'Stop', '--set', 'a=1', '--set', 'b=2', '--set=c=3'],
  ['fire', 'Stop', '--settings', 'a.json', '--settings', '{}', '--trust', '--no-hooks', '--no-color', '--verbose'],
  ['--cwd', 'x', 'fire', 'Stop', '--input', '-'],
  ['fire', 'Stop', '--input', 'a', '--input', 'b'],
]

test.each(plain.map((argv) => [argv.join(' '), argv]))('reads "%s" as commander does', (_words, argv) => {
  const words = splitModes(argv as string[])
  const read = readFire(words)
  expect(read).toBeDefined()
  expect(read).toEqual(readByCommander(words))
})

describe('leaves to commander', () => {
  test.each([
    [['explain', 'Stop']],
    [['fire']],
    [['fire', 'Stop', 'Setup']],
    [['fire', 'Stop', '--help']],
    [['fire', '-h']],
    [['fire', 'Stop', '--inptu', 'x']],
    [['fire', 'Stop', '--input']],
    [['fire', 'Stop', '--set', '--trust']],
    [['fire', 'Stop', '--json=yes']],
    [['fire', 'Stop', '--trust=abc']],
    [['fire', 'Stop', '--', '--json']],
    [['--version']],
    [[]],
  ])('%j', (argv) => {
    expect(readFire(argv)).toBeUndefined()
  })
})
