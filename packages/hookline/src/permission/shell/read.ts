/** Reads a shell command: every command it may run, at any depth, and everything that cannot be read. */
import { type Assignment, type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash'
import { holdsCommand } from './environment.ts'
import { asSeen, baseName, hidden } from './names.ts'
import { type Assigned, type Candidate, type Input, type Reader, type Spot, type WrittenCommand, weaker } from './reader.ts'
import { readCarried, readRun } from './runs.ts'
import { lineOf, plainWord, readWords, type ShellWord, UNKNOWN } from './word.ts'

/** Longer commands are read in part, and count as not understood. */
export const longestCommand = 10_000
const mostCandidates = 2_000
const mostCommands = 500
/** Characters looked at, whatever for: a command of the longest kind may be gone through some forty times. */
const mostWork = 400_000
const deepest = 64

/** A command as it was understood. */
export interface ShellReading {
  readonly text: string
  /** Every simple command as written, at any depth. */
  readonly commands: readonly WrittenCommand[]
  /** Everything that may run, under all its names and behind all wrappers. */
  readonly candidates: readonly Candidate[]
  /** Why it is not fully understood; anything may run. Empty when it is. */
  readonly doubts: readonly string[]
  /** What no allow rule with a star may cover: loops, groups, functions, unseen characters. */
  readonly unusual: readonly string[]
  /** Files that redirects write. */
  readonly writes: readonly ShellWord[]
  /** Has a substitution or a variable anywhere. */
  readonly expands: boolean
  /** Some of it was not read at all: a limit was met, or it is no shell text. There are doubts then. */
  readonly cut: boolean
}

/** Ends a reading that has become too much work; what was noted until then stays. */
class TooMuch extends Error {}

/** A screen shows all of it, as it is. */
const plain = /^[\x20-\x7E\n\t]*$/

/** Reads a command. Never throws. */
export function readShell(text: string): ShellReading {
  const notes = new Notes(text)
  if (text.length > longestCommand) notes.stopsAt(`the command is longer than ${longestCommand.toLocaleString('en')} characters`)
  try {
    readAll(notes, text)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    notes.stopsAt('the command has too many parts')
  }
  notes.finish()
  return notes
}

function readAll(notes: Notes, text: string): void {
  const start: Spot = { sure: true, depth: 0, source: text, top: true }
  notes.readText(text.slice(0, 2 * longestCommand), start)
  if (text.endsWith('\\')) notes.unusual.push('it ends in a backslash')
  if (!plain.test(text)) {
    if (hidden.test(text.replace(/[\n\t]/g, ' '))) notes.unusual.push('it has characters that a screen does not show')
    const seen = text.length > longestCommand ? text : asSeen(text)
    if (seen !== text) notes.readText(seen, { ...weaker(start), top: false })
  }
}

class Notes implements Reader, ShellReading {
  readonly text: string
  readonly commands: WrittenCommand[] = []
  readonly candidates: Candidate[] = []
  readonly doubts: string[] = []
  readonly unusual: string[] = []
  readonly writes: ShellWord[] = []
  expands = false
  cut = false
  private work = 0
  private readonly written: string[] = []
  private readonly executed: string[] = []

  constructor(text: string) {
    this.text = text
  }

  add(words: readonly ShellWord[], sure: boolean): void {
    const line = lineOf(words)
    this.spend(line.length + words.length)
    if (this.candidates.length >= mostCandidates) throw new TooMuch()
    this.candidates.push({ words, line, sure })
  }

  doubt(why: string): void {
    if (!this.doubts.includes(why)) this.doubts.push(why)
  }

  /** There is more to the command than was read. */
  stopsAt(limit: string): void {
    this.cut = true
    this.doubt(limit)
  }

  /** Reading, and comparing with every rule, must stay quick, whatever the command. */
  private spend(characters: number): void {
    this.work += characters
    if (this.work > mostWork) throw new TooMuch()
  }

  runsFile(word: ShellWord): void {
    this.executed.push(word.literal ? baseName(word.text) : UNKNOWN)
  }

  writesFile(word: ShellWord): void {
    this.written.push(word.literal ? baseName(word.text) : UNKNOWN)
  }

  runs(words: readonly ShellWord[], spot: Spot): void {
    if (spot.depth > deepest) return this.stopsAt('the command is nested too deeply')
    this.spend(words.length)
    readRun(this, words, { ...spot, depth: spot.depth + 1, top: false })
  }

  readText(text: string, spot: Spot): void {
    if (spot.depth > deepest) return this.stopsAt('the command is nested too deeply')
    this.spend(text.length)
    try {
      this.visit(parse(text), { ...spot, depth: spot.depth + 1, source: text })
    } catch (error) {
      if (error instanceof TooMuch) throw error
      this.stopsAt('the command could not be read')
    }
  }

  /** Looks for files that are written here and run here: what they hold is not known. */
  finish(): void {
    const both = this.executed.find((file) => this.written.includes(file) || (this.written.includes(UNKNOWN) && file !== ''))
    if (both !== undefined) this.doubt(`the file ${both === UNKNOWN ? '' : `"${both}" `}is written and then run`)
  }

  private visit(node: SyntaxNode, spot: Spot): void {
    if (spot.depth > deepest) return this.stopsAt('the command is nested too deeply')
    this.spend(1)
    if (node.type === 'Word' && node.parts === undefined) return
    const children = (where: Spot) => forEachChild(node, (child) => this.visit(child, where))
    switch (node.type) {
      case 'Script':
        // Even a text that is perhaps no command is refused when a substitution in it cannot be read: who reads it in the end may see more.
        if (node.errors !== undefined && node.errors.length > 0 && (!spot.guess || /\$\(|`/.test(node.source ?? spot.source)))
          this.stopsAt(`the command could not be read: ${node.errors[0]?.message ?? 'syntax error'}`)
        return children(node.source === undefined ? spot : { ...spot, source: node.source, top: false })
      case 'Command':
        this.command(node, spot)
        return children({ ...spot, top: false })
      case 'Pipeline':
        for (const prefix of node.prefixes) if (prefix.type === 'Time' && prefix.posix !== undefined) this.odd('time has an option', spot)
        return this.pipeline(node.commands, node.prefixes.length > 0 ? { ...spot, keyword: true } : spot)
      case 'Redirected': {
        const input = this.redirects(node.redirects, spot)
        for (const redirect of node.redirects) this.visit(redirect, spot)
        return this.visit(node.command, input === undefined ? spot : { ...spot, stdin: input })
      }
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        this.expands = true
        return children({ ...spot, depth: spot.depth + 1, top: false })
      case 'ParameterExpansion':
        // `${x@P}` reads the value as a prompt, and runs the commands in it.
        if (node.operation?.type === 'Transform' && !/^[AEKLQUaku]$/.test(node.operation.operand.text))
          this.doubt('the value of a variable is expanded like a prompt, and the commands in it run')
        this.expands = true
        return children(spot)
      case 'SimpleExpansion':
        this.expands = true
        return children(spot)
      case 'Function':
        this.odd('it defines a function', spot)
        return children({ ...spot, depth: spot.depth + 1, top: false, stdin: {} })
      case 'Subshell':
      case 'BraceGroup':
      case 'If':
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
      case 'While':
      case 'Case':
      case 'Coproc':
        this.odd('it is more than a list of commands', spot)
        return children({ ...spot, depth: spot.depth + 1, top: false })
      case 'ArithmeticCommand':
        this.odd('it is more than a list of commands', spot)
        // Other shells read two brackets as two subshells.
        this.readText(node.body, { ...weaker(spot), guess: true })
        return children(spot)
      case 'TestCommand':
        this.odd('it is more than a list of commands', spot)
        return children(spot)
      case 'TestUnary':
        this.testWord(node.operand, spot)
        return children(spot)
      case 'TestBinary':
        this.testWord(node.left, spot)
        this.testWord(node.right, spot)
        return children(spot)
      default:
        return children(spot)
    }
  }

  /** What stands before a bar feeds what stands behind it. */
  private pipeline(commands: readonly SyntaxNode[], spot: Spot): void {
    for (const [i, command] of commands.entries()) this.visit(command, i === 0 ? spot : { ...spot, top: false, stdin: {} })
  }

  private odd(what: string, spot: Spot): void {
    if (!spot.guess) this.unusual.push(what)
  }

  /** A test evaluates an array index in a quoted word, and the commands inside it. */
  private testWord(word: Word, spot: Spot): void {
    const text = word.value
    if (word.parts !== undefined && /\[.*(?:\$\(|`)/s.test(text)) this.readText(text, weaker(spot))
  }

  private command(node: Command, spot: Spot): void {
    if (this.commands.length >= mostCommands) throw new TooMuch()
    const assigned = node.prefix.length === 0 ? [] : node.prefix.filter((p) => p.type === 'Assignment').map(readAssignment)
    const words = [
      ...(node.name === undefined ? [] : readWords(node.name)),
      ...node.args.flatMap((arg) => (arg.type === 'Word' ? readWords(arg) : [assignmentWord(arg)])),
    ]
    const written = writtenText(node, spot)
    if (!spot.guess) this.commands.push({ assignments: assigned, words, ...(written !== undefined && { written }) })
    const input = this.redirects(node.redirects, spot)
    for (const { name, value } of assigned) {
      if (holdsCommand(name)) readCarried(this, value, spot)
      // Arithmetic, array indices and prompts run what stands in a value, quoted as it was.
      else if (value.literal && /\$\(|`/.test(value.text)) this.readText(value.text, { ...weaker(spot), guess: true })
    }
    if (assigned.length > 0) this.add([...assigned.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` })), ...words], spot.sure)
    this.runs(words, input === undefined ? spot : { ...spot, stdin: input })
  }

  /** Notes the files that redirects write; gives what they feed to the input. */
  private redirects(redirects: readonly Redirection[], spot: Spot): Input | undefined {
    let input: Input | undefined
    for (const redirect of redirects) {
      if (redirect.type === 'HereDoc') {
        if (redirect.closing === undefined) this.odd('a here-document never ends', spot)
        const parts = redirect.body.parts
        input = parts === undefined || parts.every((p) => p.type === 'Literal') ? { text: redirect.body.text } : {}
        continue
      }
      const target = redirect.target === undefined ? undefined : (readWords(redirect.target)[0] ?? plainWord(UNKNOWN))
      if (redirect.type === 'HereString') input = target?.literal ? { text: target.text } : {}
      else if (redirect.operator === '<' || redirect.operator === '<&') {
        if (target?.text !== '/dev/null' && target?.text !== '-') input = {}
      } else if (target !== undefined && !staysInside(redirect.operator, target)) {
        if (!spot.guess) this.writes.push(target)
        this.writesFile(target)
      }
    }
    return input
  }
}

function staysInside(operator: string, target: ShellWord): boolean {
  if (!target.literal) return false
  if (operator === '>&' && /^(?:\d+-?|-)$/.test(target.text)) return true
  return operator !== '<>' && /^\/dev\/(?:null|stdout|stderr)$/.test(target.text)
}

function readAssignment(node: Assignment): Assigned {
  const value = node.value.type === 'ArrayValue' || node.index !== undefined ? plainWord(UNKNOWN) : (readWords(node.value)[0] ?? plainWord(''))
  return { name: node.name, value: { ...value, raw: node.text } }
}

function assignmentWord(node: Assignment): ShellWord {
  const { name, value } = readAssignment(node)
  return { ...value, text: `${name}=${value.text}`, plain: false }
}

/** The command's own text without redirects; `undefined` when its words are not parted by single blanks. */
function writtenText(node: Command, spot: Spot): string | undefined {
  const pieces = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]
  const first = pieces[0]
  if (first === undefined || spot.keyword || (spot.top && first.pos > 0 && spot.source.slice(0, first.pos).trim() === '')) return undefined
  let text = ''
  let end = first.pos
  let apart = false
  for (const piece of pieces) {
    if (piece.type === 'Redirect' || piece.type === 'HereDoc' || piece.type === 'HereString') {
      apart = true
      continue
    }
    const gap = spot.source.slice(end, piece.pos)
    if (text !== '' && (apart || gap !== ' ')) return undefined
    text += (text === '' ? '' : ' ') + spot.source.slice(piece.pos, piece.end)
    end = piece.end
  }
  return text
}
