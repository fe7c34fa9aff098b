/** The shell text around a command: what hooks exported comes in, and the folder it ends in comes out. */

/**
 * `envFile` holds `export` lines of hooks; `cwdFile` receives the folder that the command ended in.
 * The command stands in an `eval`, so that a mistake in its syntax is its own mistake and not ours.
 */
export function shellScript(command: string, { envFile, cwdFile }: { envFile: string | null; cwdFile?: string }): string {
  const lines: string[] = []
  if (envFile !== null) lines.push(`if [ -r ${quoted(envFile)} ]; then . ${quoted(envFile)}; fi`)
  // The trap leaves the command's own exit code as it is, also after an `exit` in the middle.
  if (cwdFile !== undefined) lines.push(`trap 'pwd -P >| ${quoted(cwdFile).replaceAll("'", "'\\''")}' EXIT`)
  lines.push(`eval ${quoted(command)}`)
  return lines.join('\n')
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const silent = new Set('mv cp rm mkdir rmdir chmod chown chgrp touch ln cd export unset wait true'.split(' '))

/** Whether nothing is to be expected on stdout: every simple command of the line is one that says nothing when all is well. */
export function isSilent(command: string): boolean {
  const parts = command.split(/&&|\|\||[;|\n&]/).map((part) => part.trim())
  return parts.some((part) => part !== '') && parts.every((part) => part === '' || silent.has(firstWord(part)))
}

/** What an exit code means for commands that answer a question with it; absent: a failure. */
export function meaningOf(command: string, code: number): string | undefined {
  if (code !== 1) return undefined
  const last = command
    .split(/\|\||&&|[;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .at(-1)
  const word = firstWord(last ?? '')
  if (['grep', 'egrep', 'fgrep', 'rg'].includes(word)) return 'No matches found'
  if (word === 'diff') return 'Files differ'
  if (word === 'test' || word === '[') return 'Condition is false'
  return undefined
}

function firstWord(part: string): string {
  return part.replace(/^(\w+=\S*\s+)+/, '').split(/\s/)[0] ?? ''
}
