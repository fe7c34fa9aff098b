/** The hidden `__complete`: the words that may stand at the end of a line, one per line, with a tab before what they mean. */
import { eventNames, events, type NamedRow, toolNames } from '../../index.ts'
import { type CommandEntry, commands, type WordKind } from '../command-table.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { type Completes, type Flag, globalFlags, longName, takesValue } from '../flags.ts'
import { openHookline } from '../opening.ts'
import { shownLine } from '../render/shown.ts'
import { agentFlags } from './run-flags.ts'

/** What a word may become, and what it means. `:file` and `:folder` leave it to the shell. */
type Candidate = readonly [word: string, about?: string]

/** Only such words are offered: a shell puts them on the line as they are, and names in settings may be chosen by strangers. */
const harmless = /^[\w:.@~+/=,-]+$/

/** Never fails and says nothing but candidates: a shell calls it at every TAB. */
export async function complete(words: readonly string[], { terminal }: CommandContext): Promise<Exit> {
  const typed = words.at(-1) ?? ''
  const found = await candidates(words.slice(0, -1), typed)
  const fitting = found.filter(([word]) => word === ':file' || word === ':folder' || (word.startsWith(typed) && harmless.test(word)))
  terminal.print(fitting.map(([word, about]) => (about === undefined ? word : `${word}\t${shownLine(about, 80)}`)).join('\n'))
  return exits.goOn
}

async function candidates(before: readonly string[], typed: string): Promise<readonly Candidate[]> {
  const { entry, flags, words, pending } = walk(before, before.includes('run') ? await agentFlags() : undefined)
  if (pending !== undefined) return await ofFlag(pending, before)
  if (typed.startsWith('-')) {
    const own = flags.filter((flag) => !flag.hidden).map((flag): Candidate => [longName(flag), flag.summary])
    return [...own, ['--help', 'say what the command does']]
  }
  if (entry === undefined) return words > 0 ? [] : commands.map(({ name, summary }) => [name, summary])
  if (entry.commands !== undefined) return entry.commands.map(({ name, summary }) => [name, summary])
  const last = entry.words.at(-1)
  const word = entry.words[words] ?? (last?.name.includes('...') ? last : undefined)
  if (word === undefined) return []
  return word.choices?.map((choice): Candidate => [choice]) ?? (await ofKind(word.kind, before))
}

interface Walked {
  readonly entry: CommandEntry | undefined
  readonly flags: readonly Flag[]
  /** How many positional words of the command are there already. */
  readonly words: number
  /** The option whose value comes next. */
  readonly pending: Flag | undefined
}

/** Goes over the finished words: which command, which options, and whether a value is awaited. */
function walk(before: readonly string[], ofRun: readonly Flag[] | undefined): Walked {
  let entry: CommandEntry | undefined
  let flags: readonly Flag[] = globalFlags
  let words = 0
  let pending: Flag | undefined
  for (const word of before) {
    if (pending !== undefined) {
      pending = undefined
    } else if (word.startsWith('-') && word !== '-') {
      const flag = flags.find((one) => isName(one, word))
      pending = flag !== undefined && takesValue(flag) ? flag : undefined
    } else {
      const inner: CommandEntry | undefined = (entry === undefined ? commands : (entry.commands ?? [])).find(({ name }) => name === word)
      if (inner === undefined) words += 1
      else {
        entry = inner
        flags = inner.name === 'run' && ofRun !== undefined ? ofRun : [...inner.flags, ...globalFlags]
        words = 0
      }
    }
  }
  return { entry, flags, words, pending }
}

function isName(flag: Flag, word: string): boolean {
  return longName(flag) === word || flag.short === word
}

async function ofFlag(flag: Flag, before: readonly string[]): Promise<readonly Candidate[]> {
  if (flag.choices !== undefined) return flag.choices.map((choice) => [choice])
  return flag.completes === undefined ? [] : await ofKind(flag.completes, before)
}

async function ofKind(kind: WordKind | Completes, before: readonly string[]): Promise<readonly Candidate[]> {
  const table = events as unknown as Readonly<Record<string, NamedRow>>
  switch (kind) {
    case 'file':
    case 'folder':
      return [[`:${kind}`]]
    case 'event':
      return eventNames.map((name) => [name, table[name]?.summary ?? ''])
    case 'tool':
      return [...new Set([...toolNames, ...(await hooks(before)).flatMap(({ matcher = '' }) => matcher.split(/[|,]/).map((name) => name.trim()))])]
        .filter((name) => name !== '')
        .map((name) => [name])
    case 'hook':
      return (await hooks(before)).map(({ id, label }) => [id, label])
    case 'shell':
    case 'text':
      return []
  }
}

/** The hooks of the folder that the line names; none when its settings cannot be read. */
async function hooks(before: readonly string[]): Promise<readonly { id: string; label: string; matcher?: string }[]> {
  const at = before.indexOf('--cwd')
  const cwd = at === -1 ? undefined : before[at + 1]
  try {
    const hookline = await openHookline({ hooks: true, color: false, ...(cwd === undefined ? {} : { cwd }) })
    try {
      return hookline.list()
    } finally {
      await hookline.close()
    }
  } catch {
    return []
  }
}
