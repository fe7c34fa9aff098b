/** Which files a command runs, as far as its words name them: a process that stays is started anew when one of them changes. */
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Environment } from '../process/environment.ts'

/** What the words are read against. */
export interface Surroundings {
  readonly cwd: string
  readonly env: Environment
}

// A file that the hook only writes to, its log say, must not start it anew each time.
const script = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|ps1|r|jl|exs?|tcl|awk|jar)$/i
const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g
const redirection = /\d*[<>]+&?\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>()])+/g
const shellWord = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|<>()'"\\])+/gs

/** The program files among the words of a command that needs no shell. */
export function filesInWords(words: readonly string[], surroundings: Surroundings): readonly string[] {
  const found = words.map((word) => fileOf(word, surroundings)).filter((file) => file !== undefined)
  return [...new Set(found)]
}

/** The program files that a shell command names. A light look: what only the shell can tell is not found, and costs no more than a missed reload. */
export function filesInShell(command: string, surroundings: Surroundings): readonly string[] {
  const words = command.replace(redirection, ' ').match(shellWord) ?? []
  return filesInWords(
    words.map((word) => expand(word, surroundings.env)),
    surroundings,
  )
}

/** The path of the program that a shell command begins with, as far as its first word tells; `undefined` when it names none by path. */
export function programInShell(command: string, { env }: Surroundings): string | undefined {
  const word = /^\s*((?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|<>()'"\\])+)(?=\s|$)/s.exec(command)?.[1]
  const path = word === undefined ? '' : expand(word, env)
  return path.includes('/') && !/[$`*?]/.test(path) && !/^\w+=/.test(path) ? path : undefined
}

function expand(word: string, env: Environment): string {
  const home = env['HOME']
  const atHome = home !== undefined && /^~(?:\/|$)/.test(word) ? home + word.slice(1) : word
  return atHome
    .replace(/\\(.)|["']/gs, (_, escaped: string | undefined) => escaped ?? '')
    .replace(variable, (_, braced: string | undefined, plain: string | undefined) => env[braced ?? plain ?? ''] ?? '')
}

function fileOf(word: string, { cwd }: Surroundings): string | undefined {
  if (word === '' || word.startsWith('-')) return undefined
  const file = isAbsolute(word) ? word : resolve(cwd, word)
  if (!isFile(file)) return undefined
  return script.test(file) || isExecutable(file) ? file : undefined
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
