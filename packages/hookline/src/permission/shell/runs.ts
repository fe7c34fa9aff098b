/** What one command runs in turn: shells with a text, wrappers, find, xargs, interpreters and the rest. */
import { holdsCommand } from './environment.ts'
import { readGit } from './git.ts'
import { isInterpreter, readInterpreter } from './interpreters.ts'
import { baseName, otherNames } from './names.ts'
import { type Reader, type Spot, weaker } from './reader.ts'
import { isShell, readShellCommand } from './shells.ts'
import { plainWord, type ShellWord, UNKNOWN, unknownWords } from './word.ts'
import { runners, unwrap, wrappers } from './wrappers.ts'

// Builtins that evaluate an array index, and run the commands inside it, even when the word was quoted.
const evaluators = new Set([
  '[',
  'bind',
  'compgen',
  'complete',
  'declare',
  'enable',
  'export',
  'fc',
  'hash',
  'let',
  'local',
  'mapfile',
  'printf',
  'read',
  'readarray',
  'readonly',
  'test',
  'typeset',
  'unset',
  'wait',
])
const sourceOptions = new Set(['bind', 'compgen', 'complete', 'mapfile', 'readarray'])
// They run a command that is given to them only with one of their subcommands.
const packageManagers = new Set(['bun', 'npm', 'pnpm', 'yarn'])
const writers = new Set(['tee', 'cp', 'mv', 'install', 'ln', 'rsync', 'curl', 'wget', 'dd'])

/** Notes that these words run as a command, and everything that they run in turn. */
export function readRun(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const first = words[0]
  if (first === undefined) return
  reader.add(words, spot.sure)
  if (!first.literal) {
    // A file name pattern may find the program, and an unknown first word may be a wrapper.
    for (const { words: other } of otherNames(words)) reader.add(other, false)
    readAnywhere(reader, words.slice(1), weaker(spot))
    return
  }
  for (const { words: other, sure } of otherNames(words)) {
    reader.add(other, spot.sure && sure)
    if (other.length > words.length) readProgram(reader, other, weaker(spot))
  }
  if (first.text.includes('/')) reader.runsFile(first)
  readProgram(reader, words, spot)
}

function readProgram(reader: Reader, given: readonly ShellWord[], place: Spot): void {
  const path = given[0]?.text ?? ''
  const name = baseName(path)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, '')
  const args = given.slice(1)
  // What the program runs is compared under its plain name; another spelling of that name is only likely to be it.
  const words = [plainWord(name), ...args]
  const spot = path === name || (path.startsWith('/') && baseName(path) === name) ? place : weaker(place)
  if (name === 'git') return readGit(reader, words, spot)
  if (isShell(name)) return readShellCommand(reader, args, spot)
  if (name === 'eval') return evaluate(reader, args, spot)
  if (name === 'trap') return args[0] && args.length > 1 && args[0].text !== '-' ? evaluate(reader, args.slice(0, 1), spot) : undefined
  if (name === 'source' || name === '.') return sourceFile(reader, args[0], spot)
  if (name === 'alias') return args.some((w) => w.text.includes('=')) ? reader.doubt('an alias can give a later command any meaning') : undefined
  if (name === 'find') return readFind(reader, args, spot)
  if (name === 'fd' || name === 'fdfind') return readFd(reader, args, spot)
  if (name === 'xargs') return readXargs(reader, args, spot)
  if (name === 'parallel') return readParallel(reader, args, spot)
  if (writers.has(name)) for (const word of args) if (!word.text.startsWith('-')) reader.writesFile({ ...word, text: word.text.replace(/^of=/, '') })
  if (Object.hasOwn(wrappers, name)) readWrapper(reader, words, spot)
  // The dynamic loader runs the program it is given.
  if (/^ld(?:-[\w.-]+)?\.so/.test(name)) readRunner(reader, args, spot)
  if ((name === 'hash' && args.some((w) => w.text.startsWith('-p'))) || (name === 'enable' && args.some((w) => w.text.startsWith('-f'))))
    reader.doubt(`"${name}" can give a command name another meaning`)
  if ((name === 'at' || name === 'batch') && spot.stdin !== undefined && spot.stdin.text === undefined)
    reader.doubt(`"${name}" runs what it reads from its input`)
  readInterpreter(reader, words, spot)
  if (runners.has(name) || (packageManagers.has(name) && args.some((w) => /^(?:exec|x|dlx|explore)$/.test(w.text)))) readRunner(reader, args, spot)
  if (evaluators.has(name)) readEvaluator(reader, words, spot)
  skipOptions(reader, words, spot)
}

function evaluate(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  if (words.length === 0) return
  if (words.every((w) => w.literal)) reader.readText(words.map((w) => w.text).join(' '), spot)
  else reader.doubt('text that is only known when it runs is run as shell source')
}

function sourceFile(reader: Reader, file: ShellWord | undefined, spot: Spot): void {
  if (file === undefined) return
  if (!file.literal || file.text.startsWith('/dev/')) reader.doubt('a script that is only known when it runs is sourced')
  else reader.runsFile({ ...file, text: file.text.includes('/') ? file.text : `./${file.text}` })
  if (spot.stdin !== undefined && file.text === '/dev/stdin') reader.doubt('the input is run as shell source')
}

function readWrapper(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const name = words[0]?.text ?? ''
  const args = words.slice(1)
  const wrapper = wrappers[name]
  if (wrapper === undefined) return
  // zsh only: bash would look for a program of that name.
  const here = name === 'nocorrect' ? weaker(spot) : spot
  const { inner, sources, assigned, known } = unwrap(wrapper, args)
  for (const source of sources) evaluate(reader, name === 'env' ? [source, ...[...assigned, ...inner].map(asOneWord)] : [source], here)
  for (const word of assigned) {
    const equals = word.text.indexOf('=')
    if (holdsCommand(word.text.slice(0, equals))) readCarried(reader, { ...word, text: word.text.slice(equals + 1) }, spot)
  }
  if (assigned.length > 0 && inner.length > 0) reader.add([...assigned, ...inner], here.sure)
  if (wrapper.joins) evaluate(reader, inner, here)
  reader.runs(inner, here)
  if (name === 'time') readBehindTime(reader, inner, { ...weaker(here), guess: true })
  if (!known) readAnywhere(reader, args, { ...weaker(spot), guess: true })
  if (inner.length === 0 && sources.length === 0 && spot.stdin !== undefined && /^(?:sudo|su|doas|runuser|script|unshare|nsenter|chroot)$/.test(name))
    readShellCommand(reader, [], weaker(spot))
}

/** Where a shell takes `time` for its keyword, what looks like the program's name is an assignment, and arithmetic runs what stands in its value. */
function readBehindTime(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const end = words.findIndex((word) => !/^\w+\+?=/.test(word.text))
  for (const { literal, text } of words.slice(0, end < 0 ? words.length : end))
    if (literal && /\$\(|`/.test(text)) reader.readText(text.slice(text.indexOf('=') + 1), spot)
  if (end > 0) reader.runs(words.slice(end), spot)
  if (/^(?:[!{}]|case|coproc|for|function|if|select|until|while)$/.test(words[end]?.text ?? ''))
    reader.doubt('some shells would read a whole command behind "time"')
}

/** `env -S` splits its own text; the words behind it stay as they are. */
function asOneWord(word: ShellWord): ShellWord {
  return { ...word, text: `'${word.text.replaceAll("'", "'\\''")}'` }
}

/** The value of a variable, or of an option, that some program runs as a command. */
export function readCarried(reader: Reader, value: ShellWord, spot: Spot): void {
  if (value.literal) reader.readText(value.text, weaker(spot))
  else if (value.text !== UNKNOWN) reader.doubt('a variable that is run as a command is only known when it runs')
}

function readRunner(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  const weak: Spot = { ...weaker(spot), guess: true }
  const dashes = args.findIndex((w) => w.text === '--')
  if (dashes >= 0) reader.runs(args.slice(dashes + 1), { ...spot, guess: true })
  readAnywhere(reader, args, weak)
  for (const word of args) if (word.literal && /\s/.test(word.text)) reader.readText(word.text.replace(/^--?[\w-]+=/, ''), weak)
  if (spot.stdin?.text !== undefined) reader.readText(spot.stdin.text, weak)
}

const mostStarts = 50

/** Somewhere among these words a command starts: each may be its first. */
function readAnywhere(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  for (let i = 0; i < Math.min(args.length, mostStarts); i++) {
    const word = args[i] as ShellWord
    if (word.text.startsWith('-')) continue
    if (word.literal && runsOthers(baseName(word.text))) reader.runs(args.slice(i), spot)
    else {
      reader.add(args.slice(i), false)
      for (const { words: other } of otherNames(args.slice(i))) reader.add(other, false)
    }
  }
}

function runsOthers(name: string): boolean {
  return isShell(name) || isInterpreter(name) || Object.hasOwn(wrappers, name) || /^(?:git|eval|find|fd|fdfind|xargs|parallel)$/.test(name)
}

function readEvaluator(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const name = words[0]?.text ?? ''
  for (const word of words.slice(1)) {
    const text = word.text
    if (!word.literal) continue
    if (/\$\(|`/.test(text) && name !== 'printf') reader.readText(text, weaker(spot))
    else if (name === 'printf' && /^\w+\[.*(?:\$\(|`)/.test(text)) reader.readText(text, weaker(spot))
    else if (sourceOptions.has(name) && /\s/.test(text)) reader.readText(name === 'bind' ? text.replace(/^[^:]*:/, '') : text, weaker(spot))
    const equals = text.indexOf('=')
    if (equals > 0 && holdsCommand(text.slice(0, equals))) readCarried(reader, { ...word, text: text.slice(equals + 1) }, spot)
  }
}

function readFind(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  for (let i = 0; i < args.length; i++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[i]?.text ?? '')) continue
    const end = args.findIndex((w, j) => j > i && (w.text === ';' || (w.text === '+' && args[j - 1]?.text === '{}')))
    reader.runs(
      args.slice(i + 1, end < 0 ? undefined : end).map((w) => fill(w, '{}')),
      spot,
    )
    if (end > 0) i = end
  }
}

function readFd(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  const at = args.findIndex((w) => /^(?:-[A-Za-z]*[xX]|--exec|--exec-batch)$/.test(w.text))
  if (at >= 0) reader.runs([...args.slice(at + 1).map((w) => fill(w, /\{[/.]*\}/)), unknownWords], spot)
}

function readXargs(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  const { inner, known } = unwrap(
    { flags: '0prtxeil', values: 'aEILnPsd', longs: ['--arg-file', '--delimiter', '--max-args', '--max-chars', '--max-procs', '--process-slot-var'] },
    args,
  )
  if (!known) readAnywhere(reader, args, { ...weaker(spot), guess: true })
  const file = args.some((w) => /^(?:-a|--arg-file)/.test(w.text))
  // With nothing to read, xargs adds nothing.
  if (spot.stdin === undefined && !file) return reader.runs(inner, spot)
  const mark = replaceMark(args)
  reader.runs(mark === undefined ? [...inner, unknownWords] : inner.map((w) => fill(w, mark)), { ...spot, sure: spot.sure })
}

function replaceMark(args: readonly ShellWord[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (!text.startsWith('-')) return undefined
    const match = /^-\w*?I(.*)$/.exec(text) ?? /^--replace(?:=(.*))?$/.exec(text) ?? /^-\w*?i(.*)$/.exec(text)
    if (match) return match[1] || (text.includes('I') ? args[i + 1]?.text : undefined) || '{}'
  }
  return undefined
}

function readParallel(reader: Reader, args: readonly ShellWord[], spot: Spot): void {
  const end = args.findIndex((w) => /^:{3,4}\+?$/.test(w.text))
  const { inner } = unwrap(
    { values: 'jNnLImPSda', longs: ['--jobs', '--sshlogin', '--colsep', '--delay', '--timeout', '--retries', '--joblog', '--results', '--tmpdir'] },
    end < 0 ? args : args.slice(0, end),
  )
  if (inner.length === 0) {
    for (const word of end < 0 ? [] : args.slice(end + 1)) evaluate(reader, [word], spot)
    if (end < 0 && spot.stdin !== undefined) reader.doubt('parallel runs what it reads')
    return
  }
  const template = inner.map((w) => fill(w, /\{[#%./\d]*\}/))
  reader.runs([...template, unknownWords], spot)
  if (inner.some((w) => /[\s;|&$`]/.test(w.text))) evaluate(reader, template, spot)
}

function fill(word: ShellWord, mark: string | RegExp): ShellWord {
  const text = word.text.replaceAll(typeof mark === 'string' ? mark : new RegExp(mark.source, 'g'), UNKNOWN)
  return text === word.text ? word : { ...word, text, literal: false, plain: false, glob: false }
}

// Short options of multi-command programs that take the next word, where the manual is clear.
const knownValues: Readonly<Record<string, string>> = {
  docker: 'Hcl',
  podman: 'c',
  kubectl: 'ns',
  helm: 'n',
  npm: 'Cw',
  pnpm: 'CF',
  gh: 'R',
  make: 'Cfj',
  hg: 'R',
}

/** `npm --prefix pkg publish` is `npm publish`: without the program's own manual any option may take the next word. */
function skipOptions(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const name = words[0] ?? plainWord('')
  const known = knownValues[baseName(name.text)] ?? ''
  let sure = spot.sure
  for (let i = 1; i < Math.min(words.length - 1, 12); i++) {
    const option = words[i]?.text ?? ''
    if (!option.startsWith('-')) {
      // The option before it may have taken this word.
      if (i > 1 && words[i - 1]?.text.startsWith('-')) reader.add([name, ...words.slice(i + 1)], false)
      return
    }
    const valued = /^-[A-Za-z]$/.test(option) && known.includes(option.slice(1))
    if (valued) i++
    sure &&= valued
    reader.add([name, ...words.slice(i + 1)], sure)
  }
}
