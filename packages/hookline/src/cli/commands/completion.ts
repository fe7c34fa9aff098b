/** `hookline completion`: prints the script that makes a shell complete our words. */
import { bash } from '../completion/bash.ts'
import { fish } from '../completion/fish.ts'
import { zsh } from '../completion/zsh.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish }

/** @throws Failure for another shell. */
export async function completion(shell: string, _options: object, { terminal }: CommandContext): Promise<Exit> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined)
    throw new Failure('unknown-shell', `completion: there is no script for "${shell}".`, { hint: `Name one of ${Object.keys(scripts).join(', ')}.` })
  terminal.show({ version: 1, kind: 'completion', shell, script }, () => script)
  return exits.goOn
}
