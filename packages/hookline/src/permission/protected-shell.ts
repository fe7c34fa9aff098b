/** Whether a shell command may change something protected: its redirects, what its programs do, and the code that it runs. */
import type { Deed, ProtectedPath } from './protected-paths.ts'
import { type Touch, touchOf } from './protected-programs.ts'
import { findBelow, findPath, findWord, known, type Named, type Surroundings } from './protected-words.ts'
import { splitGit } from './shell/git.ts'
import { baseName } from './shell/names.ts'
import type { ShellReading } from './shell/read.ts'
import { plainWord, type ShellWord, UNKNOWN } from './shell/word.ts'

/** What a command may change; `undefined` when it changes nothing that is protected, as far as can be told. */
export function findInCommand(reading: ShellReading, given: Surroundings): ProtectedPath | undefined {
  const around = placed(reading, given)
  // Where it cannot be told what is written, a command that speaks of a protected path is taken at its word.
  const mentioned = lazily(() => findMention(reading.text, around))
  const settle = (named: Named): ProtectedPath | undefined => (named === 'cannot-tell' ? mentioned() : named)
  for (const target of reading.writes) {
    const found = settle(findWord(target, around))
    if (found !== undefined) return found
  }
  for (const { words } of reading.candidates) {
    const found = settle(judgeProgram(words, around))
    if (found !== undefined) return found
  }
  if (/\bpatch\b|\bgit\b[^|;&]*\b(?:apply|am)\b/.test(reading.text)) {
    const found = patchedIn(reading.text, around)
    if (found !== undefined) return found
  }
  // Code that another program runs is judged with that program.
  return reading.doubts.some((doubt) => !/ runs code /.test(doubt)) ? mentioned() : undefined
}

/** The files that a patch says it changes, in the forms of diff, git and `apply_patch`. */
export function patchedIn(text: string, around: Surroundings): ProtectedPath | undefined {
  const heads = /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]\/)?|rename (?:from|to) |copy to )(.+)$/gm
  for (const [, path = ''] of text.matchAll(heads)) {
    const found = findPath(path.replace(/\t.*$/, '').trim(), around)
    if (found !== undefined) return found
  }
  return undefined
}

/** A protected path in a text: as one word, or its file name and its folder apart. */
export function findMention(text: string, around: Surroundings): ProtectedPath | undefined {
  const plain = text.replace(/:[-+=?]/g, ' ')
  // As a shell reads it: quoted apart, with a letter masked, with a choice of letters or of endings.
  const unquoted = plain.replace(/\\(?=[^\s\\])|(?<=\w)(?:''|"")|['"](?=[\w.])(?<=\w['"])/g, '').replace(/\[[^\]\s]*\]|\{[^{}\s]*,[^{}\s]*\}/g, '*')
  for (const token of new Set(`${plain} ${unquoted}`.split(/[\s'"`(){}[\]<>|&;,=:\\]+/))) {
    // A name alone may be a link.
    if (token.length < 2 || !/[\w*?]/.test(token)) continue
    const found = findPath(token.replace(/[*?]/g, '\u{E003}'), around)
    if (found !== undefined) return found
  }
  return around.paths.findMention(plain)
}

/** Plain paths may be relative to any folder that the command changes to, and variables to what it sets them to. */
function placed(reading: ShellReading, given: Surroundings): Surroundings {
  const set = new Map<string, string | undefined>()
  const variable = (name: string): string | undefined =>
    set.has(name) ? set.get(name) : setsElsewhere(name, reading.text) ? undefined : name === 'PWD' ? given.folders[0] : given.variable?.(name)
  for (const { assignments } of reading.commands) {
    for (const { name, value } of assignments) {
      const text = value.literal ? value.text : known({ ...value, raw: value.raw.replace(/^\w+\+?=/, '') }, { ...given, variable })
      const isClear = text !== undefined && !text.includes(UNKNOWN) && (!set.has(name) || set.get(name) === text)
      // What is set twice is one of both.
      set.set(name, isClear ? text : undefined)
    }
  }
  const folders = [...given.folders]
  for (const { words } of reading.candidates) {
    const target = /^(?:cd|pushd)$/.test(words[0]?.text ?? '') ? words.find(({ text }, at) => at > 0 && !text.startsWith('-')) : folderOfGit(words)
    if (target === undefined || folders.length > 16) continue
    const text = target.literal ? target.text : filled(target, variable, given.home)
    if (text === undefined) continue
    for (const folder of [...folders]) folders.push(/^[~\\/]/.test(text) ? text.replace(/^~/, given.home ?? '~') : `${folder}/${text}`)
  }
  return { ...given, folders: [...new Set(folders)].slice(0, 32), variable }
}

/** `for HOME in …`, `read HOME`, `export HOME=…`: a name that the text speaks of without asking for its value may have another one. */
function setsElsewhere(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w$/.-]|\\$\\{)${name}(?![\\w/.-])`).test(text)
}

function folderOfGit(words: readonly ShellWord[]): ShellWord | undefined {
  if (baseName(words[0]?.text ?? '') !== 'git') return undefined
  const at = words.findIndex(({ text }) => text === '-C')
  return at > 0 ? words[at + 1] : undefined
}

function filled({ raw }: ShellWord, variable: (name: string) => string | undefined, home: string | undefined): string | undefined {
  const text = raw
    .replace(/^["']|["']$/g, '')
    .replace(/\$\{?(\w+)\}?/g, (whole, name: string) => variable(name) ?? (name === 'HOME' ? home : undefined) ?? whole)
  return /[$`*?]/.test(text) ? undefined : text
}

function judgeProgram(words: readonly ShellWord[], around: Surroundings): Named {
  const program = words[0]
  if (program === undefined) return undefined
  const name = baseName(program.text)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '')
  // An unknown program is looked at under the names that it is compared with elsewhere.
  if (name.includes(UNKNOWN)) return undefined
  const args = name === 'git' ? splitGit(words.slice(1)).rest : words.slice(1)
  const touch = touchOf([name, ...args.map(({ text }) => text)])
  return judgeTouch(touch, (text) => args.find((word) => word.text === text) ?? plainWord(text), around)
}

function judgeTouch(touch: Touch, wordOf: (text: string) => ShellWord, around: Surroundings): Named {
  switch (touch.kind) {
    case 'reads':
      return undefined
    case 'writes':
      return anyOf(touch.words.flatMap((text) => spellings(wordOf(text))).map((word) => findWord(word, around)))
    case 'removes':
      return anyOf(touch.words.map((text) => findWord(wordOf(text), around, 'remove')))
    case 'searches':
      return anyOf(
        touch.roots.flatMap((root) => [
          sure(findWord(wordOf(root), around, touch.all ? 'remove' : 'replace')),
          ...touch.names.map((name) => findBelow(wordOf(root), name, around)),
        ]),
      )
    case 'places':
      return judgePlacing(touch, wordOf, around)
    case 'runs-code': {
      const own = touch.own.map((text) => wordOf(text).raw).join(' ')
      return touch.reads === 'own' ? findMention(own, around) : 'cannot-tell'
    }
    case 'ours':
      return around.paths.findCommand(touch.command)
    case 'unknown':
      // A program that is not known is denied only what is named: a word that cannot be told is none, unless it names it in its own text.
      return anyOf(touch.words.flatMap((text) => spellings(wordOf(text))).map((word) => namedBy(word, around)))
  }
}

function namedBy(word: ShellWord, around: Surroundings, deed?: Deed): ProtectedPath | undefined {
  const named = findWord(word, around, deed)
  return named === 'cannot-tell' ? findMention(word.raw, around) : named
}

function judgePlacing({ from, to, moves, links, deep }: Touch & { kind: 'places' }, wordOf: (text: string) => ShellWord, around: Surroundings): Named {
  const sources = from.map(wordOf)
  const target = to === undefined ? undefined : wordOf(to)
  // What is moved is gone, and what a link leads to can be written through it.
  const seen = links && target?.literal ? linkingFrom(target.text, around) : around
  const gone = moves || links ? sources.map((source) => namedBy(source, seen, moves ? 'remove' : 'link')) : []
  if (target === undefined) return anyOf([...gone, ...sources.map((source) => sure(findWord(source, around)))])
  const deed = deep || moves || links ? 'replace' : 'write'
  const inside = sources.map(({ text }) =>
    findWord(
      { ...target, text: `${target.text}/${baseName(text.replace(/\/+$/, ''))}`, raw: `${target.raw}/${baseName(text.replace(/\/+$/, ''))}` },
      around,
      deed,
    ),
  )
  return anyOf([...gone, findWord(target, around, deed), ...inside])
}

/** What a symbolic link says is relative to the folder it is put in. */
function linkingFrom(target: string, around: Surroundings): Surroundings {
  const folders = [target, target.replace(/[^/]*$/, '.')].flatMap((own) =>
    /^[~/]/.test(own) ? [own.replace(/^~/, around.home ?? '~')] : around.folders.map((folder) => `${folder}/${own}`),
  )
  return { ...around, folders: [...new Set([...around.folders, ...folders])] }
}

/** The paths that may stick in one word: all of it, behind "=", behind a one-letter option. */
function spellings(word: ShellWord): ShellWord[] {
  const equals = word.text.indexOf('=')
  const glued = /^-[A-Za-z]./.test(word.text) ? word.text.slice(2) : undefined
  const plain = (text: string): ShellWord => ({ ...word, text, raw: word.literal ? text : word.raw.slice(word.raw.indexOf('=') + 1) })
  return [word, ...(equals > 0 ? [plain(word.text.slice(equals + 1))] : []), ...(glued === undefined ? [] : [plain(glued)])]
}

function sure(named: Named): ProtectedPath | undefined {
  return named === 'cannot-tell' ? undefined : named
}

function anyOf(all: readonly Named[]): Named {
  return all.find((named) => named !== undefined && named !== 'cannot-tell') ?? all.find((named) => named === 'cannot-tell')
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
