/** The files that a hook names by whole words: its scripts, with the places where another path can stand in for each. */
import type { RunnableHook } from '../protocol/runner.ts'
import { startedBy } from './command-words.ts'
import { isInside, nameIn, resolvePath } from './paths.ts'
import { readSpoken, type SpokenWord, unknownPart } from './trust-words.ts'

/** Where a file's name stands: in the command's text, as one of its words (word 0 is the command itself), or as a module's path. */
export type NameSeat =
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'word'; readonly index: number }
  | { readonly kind: 'module' }

/** One file below the project or the plugin. */
export interface NamedFile {
  /** Absolute, worked out. */
  readonly path: string
  /** The hook runs it as a program or a script, so that it counts even when it is not there. */
  readonly runs: boolean
  /** Another folder of the event would make it another file. */
  readonly relative: boolean
  /** Every place of the name; `undefined` when one of them cannot be replaced. */
  readonly seats: readonly NameSeat[] | undefined
  /** What else the same words may mean, because the command changes folders. */
  readonly others: readonly string[]
}

/** Where names are looked for. */
export interface NamingOptions {
  readonly projectDir: string
  /** Folders whose files count: the project, under every path it has, and the plugin that brings the hook. */
  readonly roots: readonly string[]
}

interface Mention {
  readonly text: string
  readonly runs: boolean
  readonly here: boolean
  readonly seat: NameSeat | undefined
}

/** The files, each once, in the order in which they are named. Nothing is looked up on disk. */
export function namedFiles(hook: RunnableHook, { projectDir, roots }: NamingOptions): NamedFile[] {
  const { spec } = hook
  if (spec?.type === 'module')
    return gather([{ text: spec.path, runs: true, here: true, seat: { kind: 'module' } }], { bases: [projectDir], projectDir, roots })
  if (spec?.type !== 'command') return []
  const known = (name: string) =>
    name === 'CLAUDE_PROJECT_DIR' ? projectDir : hook.variables !== undefined && Object.hasOwn(hook.variables, name) ? hook.variables[name] : undefined
  if (spec.args !== undefined) {
    const words = [spec.command, ...spec.args].map((word) => word.replace(/\$\{([^${}]+)\}/g, (written, name: string) => known(name) ?? written))
    const spoken = words.map((text): SpokenWord => ({ text, here: !/^(?:[\\/]|[A-Za-z]:[\\/])/.test(text) }))
    const inner = innerTexts(spoken).flatMap((text) => mentionsIn(text, { known, projectDir, seated: false }).mentions)
    return gather([...mentionsOf(spoken, (index) => ({ kind: 'word', index })), ...inner], { bases: [projectDir], projectDir, roots })
  }
  const { mentions, bases } = mentionsIn(spec.command, { known, projectDir, seated: spec.shell !== 'powershell' })
  return gather(mentions, { bases, projectDir, roots })
}

/** The programs that a hook runs by their name alone, which the system looks for on PATH. */
export function programsOf({ spec }: RunnableHook): string[] {
  if (spec?.type !== 'command') return []
  const plain = spec.args === undefined ? undefined : [[spec.command, ...spec.args]]
  const commands = plain ?? readSpoken(spec.command, { known: () => undefined, folder: '' }).commands.map(({ words }) => words.map(({ text }) => text))
  const names = commands.flatMap((words) => [words[0], startedBy(words).program])
  return [...new Set(names.filter((name): name is string => name !== undefined && /^[\w.+-]+$/.test(name)))]
}

interface Reading {
  readonly known: (name: string) => string | undefined
  readonly projectDir: string
  readonly seated: boolean
}

/** The names in a shell text, and the folders that it may stand in when it says them. */
function mentionsIn(text: string, { known, projectDir, seated }: Reading, depth = 0): { mentions: Mention[]; bases: string[] } {
  const { commands, sound } = readSpoken(text, { known, folder: projectDir })
  const mentions: Mention[] = []
  const bases = [projectDir]
  for (const { words, inputs } of commands) {
    const seatOf = (word: SpokenWord | undefined): NameSeat | undefined =>
      seated && sound && word?.start !== undefined && word.end !== undefined ? { kind: 'text', start: word.start, end: word.end } : undefined
    mentions.push(...mentionsOf(words, (index) => seatOf(words[index])))
    for (const input of inputs) mentions.push({ text: input.text, runs: false, here: input.here, seat: seatOf(input) })
    const target = words[0]?.text === 'cd' || words[0]?.text === 'pushd' ? words.find(({ text: said }, at) => at > 0 && !said.startsWith('-')) : undefined
    if (target !== undefined && !target.text.includes(unknownPart)) bases.push(resolvePath(projectDir, target.text))
    if (depth < 3) {
      for (const inner of innerTexts(words)) {
        const found = mentionsIn(inner, { known, projectDir, seated: false }, depth + 1)
        mentions.push(...found.mentions)
        bases.push(...found.bases.slice(1))
      }
    }
  }
  // What cannot be read is searched for anything that looks like a path.
  if (!sound) {
    for (const word of new Set(text.split(/[\s"'`;&|<>()${}=]+/)))
      if (/[\\/]/.test(word)) mentions.push({ text: word, runs: false, here: true, seat: undefined })
  }
  return { mentions, bases }
}

const takesProgram: Readonly<Record<string, RegExp>> = {
  awk: /^-f$|^--file$/,
  gawk: /^-f$|^--file$/,
  mawk: /^-f$/,
  sed: /^-f$|^--file$/,
  jq: /^-f$|^--from-file$/,
  make: /^-f$|^--file$|^--makefile$/,
}

/** The words of one command that may name files. */
function mentionsOf(words: readonly SpokenWord[], seatOf: (index: number) => NameSeat | undefined): Mention[] {
  const texts = words.map(({ text }) => text)
  const { program, script } = startedBy(texts)
  const programAt = program === undefined ? -1 : texts.indexOf(program)
  const options = program === undefined ? undefined : takesProgram[nameIn(program)]
  return words.flatMap(({ text, here }, index): Mention[] => {
    const runs = (text === program && /[\\/]/.test(text)) || text === script || (options?.test(texts[index - 1] ?? '') ?? false)
    const [, value] = /^--?[\w-]+=(.+)$/s.exec(text) ?? []
    if (value !== undefined) return [{ text: value, runs: false, here, seat: undefined }]
    // A program without a folder is looked for on PATH; a file of that name here is another matter.
    if (text.startsWith('-') || text === '' || (index <= programAt && !runs)) return []
    return [{ text, runs, here, seat: runs || /[\\/]/.test(text) ? seatOf(index) : undefined }]
  })
}

/** Texts that one command hands to another shell. */
function innerTexts(words: readonly SpokenWord[]): string[] {
  const texts = words.map(({ text }) => text)
  const { program, rest } = startedBy(texts)
  if (program === 'eval') return [rest.join(' ')]
  if (program === undefined || !/^(?:ba|z|da|k)?sh(?:\.exe)?$/.test(nameIn(program))) return []
  const at = rest.findIndex((word) => /^-[a-z]*c$/.test(word))
  const inner = at === -1 ? undefined : rest[at + 1]
  return inner === undefined || inner.includes(unknownPart) ? [] : [inner]
}

interface Gathering {
  readonly bases: readonly string[]
  readonly projectDir: string
  readonly roots: readonly string[]
}

function gather(mentions: readonly Mention[], { bases, projectDir, roots }: Gathering): NamedFile[] {
  const found = new Map<string, NamedFile>()
  for (const { text, runs, here, seat } of mentions) {
    const tail = tailOf(text)
    if (tail === undefined) continue
    const whole = tail === text
    const paths = [...new Set((here || !whole ? bases : [projectDir]).map((base) => resolvePath(base, whole ? text : `./${tail}`)))]
    for (const path of paths) {
      if (!roots.some((folder) => path !== folder && isInside(folder, path))) continue
      const before = found.get(path)
      const one = whole && seat !== undefined ? [seat] : undefined
      const seats = before === undefined ? one : before.seats === undefined || one === undefined ? undefined : [...before.seats, ...one]
      const others = [...new Set([...(before?.others ?? []), ...paths.filter((one) => one !== path)])]
      found.set(path, { path, runs: runs || before?.runs === true, relative: (here && whole) || before?.relative === true, seats, others })
    }
  }
  return [...found.values()]
}

/** The part of a word that is known to its end: all of it, or what follows a beginning such as `$(git rev-parse --show-toplevel)/`. */
function tailOf(text: string): string | undefined {
  if (text === '' || text.includes('\0') || text.length > 4_096) return undefined
  if (!text.includes(unknownPart)) return text
  return /^\u{E001}+[\\/]([^\u{E001}]+)$/u.exec(text)?.[1]
}
