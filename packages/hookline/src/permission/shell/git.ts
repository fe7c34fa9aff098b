/** What git runs: its subcommand behind global options, and the commands that options, settings and addresses carry. */
import { type Reader, type Spot, weaker } from './reader.ts'
import { plainWord, type ShellWord } from './word.ts'

const withValue = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env', '--attr-source', '--exec-path'])
const settingWithCommand =
  /alias\.|pager|editor|command|cmd|helper|program|textconv|external|fsmonitor|askpass|clean|smudge|process|driver|exec|hookspath|uploadpack|receivepack|proxy|receive|editor|browser|\.tool$|\.path$/i
const commandOption =
  /^(?:--exec|--extcmd|--upload-pack|--receive-pack|--open-files-in-pager|--sendmail-cmd|--to-cmd|--cc-cmd|--smtp-server|--[a-z-]+-filter|--setup|--gpg-program)$/

/** A git command taken apart. */
export interface GitCommand {
  /** The subcommand and its words. */
  readonly rest: readonly ShellWord[]
  /** `name=value` settings given with -c. */
  readonly settings: readonly ShellWord[]
  /** How many words stood before the subcommand. */
  readonly skipped: number
}

/** Takes the words after `git` apart. */
export function splitGit(args: readonly ShellWord[]): GitCommand {
  const settings: ShellWord[] = []
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? ''
    if (!text.startsWith('-')) break
    if (!withValue.has(text)) {
      if (text.startsWith('-c') && !text.startsWith('-C') && text.length > 2) settings.push({ ...(args[at] as ShellWord), text: text.slice(2) })
      continue
    }
    // `--exec-path` alone only prints the path; with a separate word nothing is taken.
    if (text === '--exec-path') continue
    const value = args[++at]
    if (text === '-c' && value) settings.push(value)
  }
  return { rest: args.slice(at), settings, skipped: at }
}

/** Notes everything that a git command may run. */
export function readGit(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const [git, ...args] = words
  const weak = weaker(spot)
  const { rest, settings, skipped } = splitGit(args)
  if (skipped > 0) reader.add([git ?? plainWord('git'), ...rest], spot.sure)
  for (const setting of settings) {
    const equals = setting.text.indexOf('=')
    if (equals > 0) readSetting(reader, { name: setting.text.slice(0, equals), value: { ...setting, text: setting.text.slice(equals + 1) } }, weak)
  }
  const sub = rest[0]?.text ?? ''
  const own = rest.slice(1)
  if (sub === 'config') for (let i = 0; i + 1 < own.length; i++) readSetting(reader, { name: own[i]?.text ?? '', value: own[i + 1] as ShellWord }, weak)
  if (sub === 'bisect' && own[0]?.text === 'run') reader.runs(own.slice(1), weak)
  if (sub === 'submodule' || sub === 'for-each-repo') {
    const from = own.findIndex((w) => w.text === 'foreach' || w.text === '--')
    if (from >= 0)
      readLine(
        reader,
        own.slice(from + 1).filter((w) => !/^--(?:recursive|quiet)$/.test(w.text)),
        weak,
      )
  }
  for (let i = 0; i < own.length; i++) {
    const word = own[i] as ShellWord
    if (word.text.includes('ext::')) reader.readText(word.text.slice(word.text.indexOf('ext::') + 5).replaceAll('\\ ', ' '), weak)
    const [option, value] = optionOf(sub, word)
    if (option)
      readLine(
        reader,
        [value ?? own[i + 1]].filter((w) => w !== undefined),
        weak,
      )
  }
}

function optionOf(sub: string, word: ShellWord): [boolean, ShellWord | undefined] {
  const long = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word.text)
  if (long) return [commandOption.test(long[1] ?? ''), long[2] === undefined ? undefined : { ...word, text: long[2] }]
  const letters = { rebase: 'x', difftool: 'x', clone: 'u', grep: 'O' }[sub]
  const short = letters === undefined ? null : new RegExp(`^-[a-z]*${letters}(.*)$`, 's').exec(word.text)
  if (short === null) return [false, undefined]
  return [true, short[1] === '' ? undefined : { ...word, text: short[1] ?? '' }]
}

interface Setting {
  readonly name: string
  readonly value: ShellWord
}

function readSetting(reader: Reader, { name, value }: Setting, spot: Spot): void {
  if (!settingWithCommand.test(name)) return
  if (!value.literal) return reader.doubt(`the git setting ${name} is a command that is only known when it runs`)
  if (/^alias\./i.test(name)) reader.readText(value.text.startsWith('!') ? value.text.slice(1) : `git ${value.text}`, spot)
  else reader.readText(value.text.replace(/^!/, ''), spot)
}

function readLine(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  if (words.length === 0) return
  if (words.every((w) => w.literal)) reader.readText(words.map((w) => w.text).join(' '), spot)
  else reader.doubt('git runs a command that is only known when it runs')
}
