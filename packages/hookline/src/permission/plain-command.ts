/** What a shell command writes, told from its text alone where it is written plainly: most commands need no reading. */
import { gitReaders, readers } from './protected-programs.ts'
import { isShell } from './shell/shells.ts'

/** Programs whose words need a reading to tell what they do: they write or run more than what is named. */
const needsReading =
  /\b(?:alias|apply_patch|awk|base64|bash|bsdtar|bun|chattr|chgrp|chmod|chown|cp|cpio|curl|dd|deno|dos2unix|ed|emacs|eval|ex|expect|find|gawk|git|hookline|install|julia|link|ln|lua|mktemp|mv|nano|node|nvim|osascript|parallel|patch|perl|php|python|rename|rm|rmdir|rsync|Rscript|ruby|scp|sed|sh|shred|sort|source|sponge|sqlite3|tar|tclsh|tee|touch|trash|truncate|tsx|uniq|unlink|unzip|vi|vim|wget|xargs|xxd|yq|zsh)\b/i
const plainRedirects = /\d*>&\d+(?=[\s;|&]|$)|(?:&|\d)?>{1,2}\s*\/dev\/null(?=[\s;|&]|$)/g
const redirect = /(?:&|(?<![^\s;|&])\d)?>{1,2}[ \t]*([\w./-]+)(?=[\s;|&]|$)/g
/** One word or one operator: a word is plain, or quoted as a whole with nothing in it that a shell fills in. */
const token = /[ \t]*(?:([\w./:@%+,=-]+|'[^']*'|"[^"$`\\!]*")(?=[\s;|&]|$)|(\n|;|\|\|?|&&?))/y
const plainText = /^[\w./:@%+,= -]*$/
// biome-ignore format: a list of words reads better as a paragraph
/** They run other commands, set what others see, or are words of the shell's own grammar. */
const notQuick = new Set([
  'alias', 'cd', 'command', 'declare', 'env', 'export', 'let', 'local', 'mapfile', 'popd', 'pushd', 'read', 'readarray', 'readonly', 'time', 'timeout', 'typeset', 'unset', 'xargs',
  'builtin', 'case', 'coproc', 'do', 'done', 'elif', 'else', 'esac', 'exec', 'fi', 'for', 'function', 'if', 'in', 'select', 'then', 'trap', 'until', 'while',
])
/** Options of git that write a file or run a program. */
const gitDoes = /^--?(?:o|O|x|output|upload-pack|receive-pack|exec|ext-diff|textconv|open-files)/

// Agents give the same commands again and again.
const told = new WeakMap<RegExp, Map<string, readonly string[] | undefined>>()
const mostTold = 256
const longestTold = 1_000

/**
 * What may be written by a command whose text tells: nothing, or the targets of its redirects and what it names to programs that
 * nobody knows. `undefined`: it has to be read. Never less than a reading finds. `named` finds the names of what is protected.
 */
export function plainlyWritten(command: string, named: RegExp): readonly string[] | undefined {
  if (command.length > longestTold) return tell(command, named)
  let before = told.get(named)
  if (before === undefined || before.size > mostTold) {
    before = new Map()
    told.set(named, before)
  }
  if (!before.has(command)) before.set(command, tell(command, named))
  return before.get(command)
}

function tell(command: string, named: RegExp): readonly string[] | undefined {
  if (named.test(command)) return undefined
  const written: string[] = []
  let rest = command
  if (command.includes('>')) {
    rest = command.replace(plainRedirects, '').replace(redirect, (_, target: string) => {
      written.push(target)
      return ' '
    })
  }
  const commands = split(rest)
  if (commands === undefined) return undefined
  let moves = false
  for (const words of commands) {
    // What is written after a change of folder is somewhere else.
    if (words[0] === 'cd') moves = true
    else {
      const found = writtenBy(words)
      if (found === undefined) return undefined
      written.push(...found)
    }
  }
  return moves && written.length > 0 ? undefined : written
}

/** The words of each command; `undefined`: it is not written plainly. */
function split(text: string): string[][] | undefined {
  const commands: string[][] = []
  let words: string[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const found = token.exec(text)
    if (found === null) return undefined
    const [, word, operator] = found
    if (word !== undefined) words.push(/^['"]/.test(word) ? word.slice(1, -1) : word)
    else if (words.length > 0) {
      commands.push(words)
      words = []
      // With nothing before it an operator is a mistake, and a shell runs none of it; an empty line is none.
    } else if (operator !== '\n') return undefined
  }
  return words.length === 0 ? commands : [...commands, words]
}

function writtenBy([program = '', ...args]: readonly string[]): readonly string[] | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (name === 'git') return gitReaders.has(args[0] ?? '') && !args.some((word) => gitDoes.test(word)) ? [] : undefined
  if (readers.has(name) && !notQuick.has(name)) return []
  if (name === '' || name === '.' || name.includes('=') || notQuick.has(name) || isShell(name)) return undefined
  if (needsReading.test(program) || !args.every((word) => plainText.test(word) && !needsReading.test(word) && !isShell(word))) return undefined
  return args.flatMap(spellingsOf)
}

/** The paths that may stick in one word: all of it, behind "=", behind a one-letter option. */
function spellingsOf(word: string): string[] {
  const equals = word.indexOf('=')
  return [word, ...(equals > 0 ? [word.slice(equals + 1)] : []), ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : [])].filter((text) => !/^-*$/.test(text))
}
