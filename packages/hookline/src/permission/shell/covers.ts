/** Whether allow rules cover a command whole: every part understood, every part named, nothing that runs or writes something else. */
import { type Look, no, yes } from '../answer.ts'
import { isHarmlessVariable } from './environment.ts'
import { runsOrWrites } from './hazards.ts'
import { baseName } from './names.ts'
import { type ShellPattern, surelyMatches } from './pattern.ts'
import type { ShellReading } from './read.ts'
import type { WrittenCommand } from './reader.ts'
import { isShell } from './shells.ts'
import { lineOf, type ShellWord } from './word.ts'
import { unwrap, wrappers } from './wrappers.ts'

/** Whether these patterns together cover the command. Files that redirects write are judged by `mayWrite`. */
export function coversCommand(reading: ShellReading, patterns: readonly ShellPattern[], mayWrite: (target: ShellWord) => boolean): Look {
  const whole = reading.text.trim()
  if (patterns.some((p) => p.exact && p.text === whole) && reading.unusual.every((u) => !u.includes('screen'))) return yes(`the command is "${whole}"`)
  if (reading.doubts.length > 0) return no(`it cannot be allowed: ${reading.doubts[0]}`)
  if (reading.unusual.length > 0) return no(`it cannot be allowed: ${reading.unusual[0]}`)
  if (reading.commands.length === 0) return no('there is no command')
  const target = reading.writes.find((w) => !mayWrite(w))
  if (target !== undefined) return no(`it writes the file "${target.raw}", which needs a permission of its own`)
  const names = reading.commands.map((c) => c.words[0]?.text ?? '')
  if (names.some((n) => n === 'cd' || n === 'pushd') && names.includes('git')) return no('git would run in another folder, whose settings may name programs')
  for (const command of reading.commands) {
    const gap = uncovered(command, patterns)
    if (gap !== undefined) return no(gap)
  }
  return yes(`every part is covered by ${patterns.length === 1 ? `"${patterns[0]?.text}"` : 'the allow rules'}`)
}

/** Why no pattern covers the command; `undefined` when one does. */
function uncovered(command: WrittenCommand, patterns: readonly ShellPattern[]): string | undefined {
  const unsafe = command.assignments.find(({ name, value }) => !isHarmlessVariable(name) || !value.literal)
  if (command.words.length === 0 && unsafe === undefined && command.assignments.length > 0) return undefined
  let why: string | undefined
  for (const pattern of patterns) {
    if (pattern.exact) {
      if (command.written === pattern.text) return undefined
      continue
    }
    const words = matched(command, pattern)
    if (words === undefined) continue
    const named = pinnedAssignments(command, pattern)
    if (unsafe !== undefined && named < command.assignments.length) why = `it sets ${unsafe.name}, which could change what runs`
    else {
      const fault = faultOf(words, pattern.pinned.length - named)
      if (fault === undefined) return undefined
      why = fault
    }
  }
  return why ?? `"${lineShown(command)}" is not covered`
}

/** How many of the command's assignments the pattern spells out before its first star. */
function pinnedAssignments(command: WrittenCommand, pattern: ShellPattern): number {
  let count = 0
  while (count < command.assignments.length && command.assignments[count]?.value.raw === pattern.pinned[count]) count++
  return count
}

/** The words that the pattern was found to name; `undefined` when it does not. */
function matched(command: WrittenCommand, pattern: ShellPattern): readonly ShellWord[] | undefined {
  // A star anywhere but behind a blank pins the text, so it is compared as written.
  if (!pattern.wholeWords) return command.written !== undefined && surelyMatches(pattern, command.written) ? command.words : undefined
  for (let words: readonly ShellWord[] | undefined = command.words; words !== undefined; words = behindSafeWrapper(words)) {
    // Behind a wrapper a shell's own `rm -i` alias no longer asks.
    if (words !== command.words && destroys.has(words[0]?.text ?? '')) return undefined
    if (pattern.pinned.every((word, i) => words?.[i]?.plain && words[i]?.text === word)) return words
  }
  return undefined
}

/** The command behind a wrapper that changes nothing about it; `undefined` when there is none. */
export function behindSafeWrapper(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const name = words[0]?.plain ? words[0].text : ''
  if (name === 'xargs') return words[1]?.plain && readsOnly.has(words[1].text) ? words.slice(1) : undefined
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
  if (!wrapper?.safe) return undefined
  const { inner, known, at } = unwrap(wrapper, words.slice(1))
  return known && inner.length > 0 && words.slice(1, 1 + at).every((w) => w.plain) && !(name === 'command' && at > 0) ? inner : undefined
}

/** What keeps a command that a pattern names from being allowed; what the pattern pins was meant. */
function faultOf(words: readonly ShellWord[], pinned: number): string | undefined {
  const name = words[0]?.text ?? ''
  const inner = runsAnything(words)
  if (inner !== undefined) return inner >= pinned ? `"${name}" runs any command it is given` : faultOf(words.slice(inner), pinned - inner)
  const set = declares.has(name) ? words.find((w) => w.text.includes('=') && !isHarmlessVariable(w.text.split(/\+?=/)[0] ?? '')) : undefined
  if (set !== undefined) return `it sets ${set.text.split('=')[0]}, which could change what runs`
  const { at, why, listed } = runsOrWrites(words)
  if (at !== undefined && at >= pinned) return why
  const open = words.find((w) => !w.literal && !(w.glob && (readsOnly.has(name) || (!listed && /^[\w.][\w.-]*\//.test(w.raw)))))
  if (open !== undefined) return `"${open.raw}" is only known when it runs`
  if (words.some((w) => w.plain && /^=[A-Za-z]/.test(w.text))) return 'another shell would replace a word that starts with "="'
  return undefined
}

/** Where the command that a wrapper or a shell runs starts; `undefined` for other programs. */
function runsAnything(words: readonly ShellWord[]): number | undefined {
  const name = baseName(words[0]?.text ?? '')
  // Nothing that a pattern pins makes a text safe that is source.
  if (isShell(name)) return words.some((w, i) => i > 0 && /^-\w*[cs]/.test(w.text)) || words.length === 1 ? Number.POSITIVE_INFINITY : undefined
  if (/^(?:eval|trap|source|\.|alias|parallel)$/.test(name)) return Number.POSITIVE_INFINITY
  if (name === 'xargs')
    return Math.max(
      1,
      words.findIndex((w, i) => i > 0 && !w.text.startsWith('-')),
    )
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
  if (wrapper === undefined) return undefined
  return 1 + unwrap(wrapper, words.slice(1)).at
}

// Programs none of whose options or operands can run or write anything, so that a file's name cannot become one.
const readsOnly = new Set([
  'basename',
  'cat',
  'cksum',
  'cmp',
  'cut',
  'df',
  'diff',
  'dirname',
  'du',
  'echo',
  'egrep',
  'fgrep',
  'grep',
  'head',
  'ls',
  'md5sum',
  'nl',
  'od',
  'paste',
  'readlink',
  'realpath',
  'sha1sum',
  'sha256sum',
  'sha512sum',
  'stat',
  'strings',
  'tail',
  'tr',
  'wc',
])

const declares = new Set(['declare', 'export', 'local', 'readonly', 'typeset'])
const destroys = new Set(['dd', 'mkfs', 'rm', 'rmdir', 'shred', 'truncate', 'unlink', 'wipefs'])

function lineShown(command: WrittenCommand): string {
  const line = command.written ?? lineOf(command.words)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
