/** The words of a shell command as a shell would see them, as far as they are known beforehand, each with its place in the text. */
import { type Command, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash'

/** Stands in a word for a stretch that only the running shell knows. */
export const unknownPart = '\u{E001}'

/** One word. `start` and `end` are there when the word stands in the text itself, not in a text inside it. */
export interface SpokenWord {
  readonly text: string
  readonly start?: number
  readonly end?: number
  /** Holds `$PWD`, or begins with no folder at all: what it names depends on where the command stands. */
  readonly here: boolean
}

/** One simple command, at any depth. */
export interface SpokenCommand {
  readonly words: readonly SpokenWord[]
  /** Files that feed its standard input. */
  readonly inputs: readonly SpokenWord[]
}

/** A text as it was read. */
export interface Spoken {
  readonly commands: readonly SpokenCommand[]
  /** The text could be read whole, so the places of its words can be relied on. */
  readonly sound: boolean
}

/** What reading takes: the value of a variable that is known, and where `$PWD` stands. */
export interface Speaking {
  readonly known: (name: string) => string | undefined
  readonly folder: string
}

const longest = 100_000
const deepest = 64

/** Reads the text. Never throws; a text that cannot be read at all has no commands. */
export function readSpoken(text: string, speaking: Speaking): Spoken {
  if (text.length > longest) return { commands: [], sound: false }
  const commands: SpokenCommand[] = []
  try {
    const script = parse(text)
    visit(script, { speaking, commands, own: true, depth: 0 })
    return { commands, sound: script.errors === undefined || script.errors.length === 0 }
  } catch {
    return { commands, sound: false }
  }
}

interface Walk {
  readonly speaking: Speaking
  readonly commands: SpokenCommand[]
  /** Places count from the start of the text itself. */
  readonly own: boolean
  readonly depth: number
}

function visit(node: SyntaxNode, walk: Walk): void {
  if (walk.depth > deepest) return
  if (node.type === 'Command') walk.commands.push(readCommand(node, walk))
  const own = walk.own && !(node.type === 'Script' && walk.depth > 0)
  forEachChild(node, (child) => visit(child, { ...walk, own, depth: walk.depth + 1 }))
}

function readCommand(node: Command, walk: Walk): SpokenCommand {
  const words = [...(node.name === undefined ? [] : [node.name]), ...node.args].map((word) =>
    word.type === 'Word' ? readWord(word, walk) : { text: unknownPart, here: false },
  )
  const inputs = node.redirects.flatMap((redirect) =>
    redirect.type === 'Redirect' && redirect.operator === '<' && redirect.target !== undefined ? [readWord(redirect.target, walk)] : [],
  )
  return { words, inputs }
}

function readWord(word: Word, { speaking, own }: Walk): SpokenWord {
  const seen = { pwd: false }
  const text = word.parts === undefined ? word.value : word.parts.map((part) => readPart(part, speaking, seen)).join('')
  return { text, here: seen.pwd || !/^(?:[\\/]|[A-Za-z]:[\\/])/.test(text), ...(own ? { start: word.pos, end: word.end } : {}) }
}

function readPart(part: WordPart, speaking: Speaking, seen: { pwd: boolean }): string {
  const variable = (name: string): string | undefined => {
    if (name !== 'PWD') return speaking.known(name)
    seen.pwd = true
    return speaking.folder
  }
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((inner) => readPart(inner, speaking, seen)).join('')
    case 'SimpleExpansion':
      return variable(part.text.slice(1)) ?? unknownPart
    case 'ParameterExpansion': {
      const plain = part.prefix === undefined && part.index === undefined
      const fallback = part.operation === undefined || /^:?[-=?]$/.test(part.operation.operator)
      return (plain && fallback ? variable(part.parameter) : undefined) ?? unknownPart
    }
    default:
      return unknownPart
  }
}
