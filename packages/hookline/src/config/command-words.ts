/** A light look at a command line for hints and labels: what is quoted, and the words of its first command. It decides nothing. */

const hidden = '\u0001'

/** The line with every quoted character hidden, so that a pattern only sees what a shell would split. Same length as the line. */
export function unquotedPart(line: string): string {
  let shown = ''
  // What encloses the place: the quotes and substitutions that are open, innermost last.
  const inside: string[] = []
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string
    const now = inside.at(-1)
    if (now === "'") {
      if (char === "'") inside.pop()
      shown += hidden
    } else if (char === '\\' && at + 1 < line.length) {
      shown += now === '"' ? hidden.repeat(2) : line.slice(at, at + 2)
      at += 1
    } else if (char === '"') {
      if (now === '"') inside.pop()
      else inside.push('"')
      shown += hidden
    } else if (char === '$' && line[at + 1] === '(') {
      inside.push('(')
      shown += '$('
      at += 1
    } else if (char === "'" && now !== '"') {
      inside.push("'")
      shown += hidden
    } else if (char === ')' && now === '(') {
      inside.pop()
      shown += ')'
    } else shown += now === '"' ? hidden : char
  }
  return shown
}

/** One word, quotes taken off; variables stay as written. */
export interface Word {
  readonly text: string
  readonly at: number
}

/** The words of the first simple command of a line, without leading assignments and redirections. */
export function firstWords(line: string): Word[] {
  const shown = unquotedPart(line)
  const words: Word[] = []
  for (const { index, 0: piece } of shown.matchAll(/(?:\\.|\$\([^()]*\)|[^\s;&|<>()\\])+|[;&|()\n]|[<>]+/gs)) {
    if (/^[;&|()\n]/.test(piece)) {
      if (words.length > 0) break
      continue
    }
    if (/^[<>]/.test(piece)) break
    const text = bare(line.slice(index, index + piece.length))
    if (words.length === 0 && /^[A-Za-z_]\w*=/.test(text)) continue
    words.push({ text, at: index })
  }
  return words
}

function bare(word: string): string {
  return word.replaceAll(/\\(.)|["']/gs, (_, escaped: string | undefined) => escaped ?? '')
}

/** Programs that run another one: how many words of their own stand before it. */
const wrappers: Readonly<Record<string, number>> = { env: 0, exec: 0, command: 0, nohup: 0, time: 0, nice: 0, sudo: 0, timeout: 1 }
const interpreters = /^(?:(?:ba|z|da|k|fi)?sh|node|bun|deno|tsx|ts-node|python[\d.]*|pypy\d?|ruby|perl|php|lua|pwsh|powershell|osascript|Rscript)(?:\.exe)?$/i

/** What a command starts: its program, and the script that an interpreter is given. */
export interface Started {
  readonly program?: string
  readonly script?: string
  /** The words after the program. */
  readonly rest: readonly string[]
}

/** Finds program and script in the words of one simple command. */
export function startedBy(words: readonly string[]): Started {
  let at = 0
  for (;;) {
    const own = Object.hasOwn(wrappers, words[at] ?? '') ? wrappers[words[at] as string] : undefined
    if (own === undefined) break
    at += 1
    while (/^-|^[A-Za-z_]\w*=/.test(words[at] ?? '')) at += 1
    at += own
  }
  const program = words[at]
  const rest = words.slice(at + 1)
  if (program === undefined) return { rest }
  if (program === '.' || program === 'source') return { program, rest, ...(rest[0] === undefined ? {} : { script: rest[0] }) }
  if (!interpreters.test(baseName(program))) return { program, rest }
  const script = scriptOf(baseName(program), rest)
  return { program, rest, ...(script === undefined ? {} : { script }) }
}

/** The script word of an interpreter: the first that is no option, unless an option brings the program text itself. */
function scriptOf(interpreter: string, words: readonly string[]): string | undefined {
  const bringsText = /sh(?:\.exe)?$/i.test(interpreter) ? /^-[a-z]*c$|^-(?:Command|EncodedCommand)$/i : /^(?:-[cemrp]|--eval|--print|--require|--import)$/
  for (const word of words) {
    if (bringsText.test(word)) return undefined
    if (word.startsWith('-') || word === 'run') continue
    return word
  }
  return undefined
}

function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, '')
}
