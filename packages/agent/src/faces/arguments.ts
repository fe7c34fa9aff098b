/** Reads the words of `hookline run` by the table of its options. */
import { UsageError } from '../session/handle.ts'
import { type RunFlag, runFlags } from './flags.ts'

/** What was typed: options by their first name, and the words that are none. */
export interface Arguments {
  words: string[]
  has(name: string): boolean
  /** The last value. */
  one(name: string): string | undefined
  /** All values, lists split at commas and blanks outside brackets. */
  many(name: string): string[]
  /** All values as they were given. */
  each(name: string): string[]
}

const byName = new Map<string, RunFlag>(
  runFlags.flatMap((flag) => [
    ...flag.names.map((name) => [`--${name}`, flag] as const),
    ...(flag.short === undefined ? [] : [[`-${flag.short}`, flag] as const]),
  ]),
)

/** @throws UsageError for a word that is no option, a value that is missing or is none of the choices. */
export function readArguments(argv: readonly string[]): Arguments {
  const words: string[] = []
  const values = new Map<string, string[]>()
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string
    if (word === '--') {
      words.push(...argv.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word)
      continue
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1
    const flag = byName.get(equals === -1 ? word : word.slice(0, equals))
    if (flag === undefined) throw new UsageError(`There is no option ${word}.`, 'See `hookline run --help`.')
    const name = flag.names[0] as string
    const own = values.get(name) ?? []
    values.set(name, own)
    if (equals !== -1 && flag.takes === undefined) throw new UsageError(`--${name} takes no value.`)
    if (equals !== -1) own.push(word.slice(equals + 1))
    else if (flag.takes === 'one') {
      const value = argv[++at]
      if (value === undefined) throw new UsageError(`--${name} needs a value.`)
      own.push(value)
    } else if (flag.takes === 'many') while (at + 1 < argv.length && !(argv[at + 1] as string).startsWith('-')) own.push(argv[++at] as string)
    // A prompt may stand behind it: only what cannot be one is its value.
    else if (
      flag.takes === 'maybe' &&
      name !== 'trust' &&
      at + 1 < argv.length &&
      /^[\w.-]+$/.test(argv[at + 1] as string) &&
      !(argv[at + 1] as string).startsWith('-')
    )
      own.push(argv[++at] as string)
    if (flag.takes === 'many' && own.length === 0) throw new UsageError(`--${name} needs a value.`)
    for (const value of own) {
      if (value.trim() === '' && flag.empty !== true) throw new UsageError(`--${name} needs a value.`)
      if (flag.choices !== undefined && !flag.choices.includes(value)) throw new UsageError(`--${name} "${value}" is none of ${flag.choices.join(', ')}.`)
    }
  }
  return {
    words,
    has: (name) => values.has(name),
    one: (name) => values.get(name)?.at(-1),
    each: (name) => values.get(name) ?? [],
    many: (name) => (values.get(name) ?? []).flatMap(splitList),
  }
}

/** `Bash(git log *), Read` → two rules. */
export function splitList(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let item = ''
  for (const letter of text) {
    if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    if (depth <= 0 && (letter === ',' || /\s/.test(letter))) {
      if (item !== '') found.push(item)
      item = ''
    } else item += letter
  }
  return item === '' ? found : [...found, item]
}
