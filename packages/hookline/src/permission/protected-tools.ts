/** What a tool call may change among protected paths: file tools by their fields, shells by their command, others by what they are called. */
import { type RuleCall, readingOf } from './call.ts'
import { plainlyWritten } from './plain-command.ts'
import type { Deed, ProtectedPath } from './protected-paths.ts'
import { findInCommand, findMention, patchedIn } from './protected-shell.ts'
import { findPath, type Surroundings } from './protected-words.ts'
import { fileFields, onlyReads } from './reading-tools.ts'

const writing =
  /^(?:add|append|apply|chmod|commit|copy|cp|create|delete|edit|erase|insert|install|link|make|mkdir|modify|move|mv|overwrite|patch|put|remove|rename|replace|restore|rm|save|set|store|symlink|touch|truncate|unlink|update|upload|write)$/
const reading =
  /^(?:analyze|browse|cat|check|count|describe|diff|exists|fetch|find|get|glob|grep|head|info|inspect|list|lint|load|lookup|ls|open|peek|preview|query|read|search|show|stat|status|summarize|tail|tree|validate|view|watch)$/
/** What takes a whole folder away when it is done to one. */
const removing = /^(?:delete|erase|move|mv|remove|rename|rm|rmdir|unlink)$/
/** Where something that is moved ends up. */
const ends = /^(?:dest|destination|new|to|target)$/
const places =
  /^(?:cwd|dest|destination|dir|directories|directory|dirs|file|filename|filepath|files|folder|folders|from|location|new|old|out|output|outfile|path|pathname|paths|source|src|target|to|uri|uris|url)$/
const commands = /^(?:cmd|command|commands|script|shell)$/

/** What the call may change; `undefined` when it only reads, or changes nothing protected. */
export function findInCall(call: RuleCall, around: Surroundings): ProtectedPath | undefined {
  const { tool, input } = call
  const field = Object.hasOwn(fileFields, tool) ? fileFields[tool] : undefined
  if (field !== undefined) return findText(input[field], around)
  if (tool === 'Bash' || tool === 'Monitor') return findCommand(call, around)
  if (tool === 'PowerShell') return findInPowerShell(input['command'], around)
  return onlyReads(tool) ? undefined : findInOther(call, around)
}

function findText(value: unknown, around: Surroundings): ProtectedPath | undefined {
  return typeof value === 'string' ? (findPath(value, around) ?? patchedIn(value.slice(0, 4_096), around)) : undefined
}

function findCommand(call: RuleCall, around: Surroundings): ProtectedPath | undefined {
  const { command } = call.input
  if (typeof command !== 'string') return undefined
  const targets = plainlyWritten(command, around.paths.named)
  if (targets !== undefined) {
    for (const target of targets) {
      const found = findPath(target, around)
      if (found !== undefined) return found
    }
    return undefined
  }
  const reading = readingOf(call)
  return reading === undefined ? undefined : findInCommand(reading, around)
}

const reads =
  /^(?:cat|cd|compare-object|dir|echo|findstr|foreach-object|format-list|format-table|gc|gci|get-[a-z]+|ls|measure-object|more|resolve-path|select-object|select-string|set-location|sls|sort-object|test-path|type|where-object|write-host|write-output)\b/

/** PowerShell is compared as text: a part that names a protected path must begin with something that only reads. */
function findInPowerShell(command: unknown, around: Surroundings): ProtectedPath | undefined {
  if (typeof command !== 'string') return undefined
  const found = findMention(command.replaceAll('\\', '/'), around)
  if (found === undefined) return undefined
  const parts = command.split(/[;|\n\r]|&&/).map((part) => part.trim().toLowerCase())
  return parts.every((part) => part === '' || (reads.test(part) && !part.includes('>') && !/\$\(|[&{`]/.test(part))) ? undefined : found
}

/** A tool of a server or of the host: it writes unless its name says that it reads. */
function findInOther(call: RuleCall, around: Surroundings): ProtectedPath | undefined {
  const words = wordsOf(call.tool.replace(/^mcp__.*?__/, ''))
  const readsOnly = !words.some((word) => writing.test(word)) && words.some((word) => reading.test(word))
  if (readsOnly) return undefined
  const fields = fieldsOf(call.input)
  for (const { value } of fields.filter(({ words: own }) => own.some((word) => commands.test(word)))) {
    const found = findCommand({ ...call, input: { command: value } }, around)
    if (found !== undefined) return found
  }
  if (saysThatItReads(call)) return undefined
  const named = fields.filter(({ words: own }) => own.some((word) => places.test(word)))
  const removes = [...words, ...actionsIn(call.input)].some((word) => removing.test(word))
  for (const { value, words: own } of named) {
    const deed: Deed = removes ? (own.some((word) => ends.test(word)) ? 'replace' : 'remove') : 'write'
    const found = findPath(value, around, deed)
    if (found !== undefined) return found
  }
  const names = fields.filter(({ words: own }) => own.includes('name') || own.includes('filename'))
  const apart = named.length * names.length <= mostPairs ? named : []
  for (const { value: name } of names) {
    // A folder in one field and a name in another are one path.
    for (const path of [name, ...apart.map((folder) => `${folder.value}/${name}`)]) {
      const found = findPath(path, around)
      if (found !== undefined) return found
    }
    const alone = apart.length < named.length ? around.paths.findBelow('/', name) : undefined
    if (alone !== undefined) return alone
  }
  for (const { value } of fields) {
    const found = patchedIn(value, around)
    if (found !== undefined) return found
  }
  return undefined
}

// Some tools are many in one, and a field says which.
const actions = ['action', 'command', 'method', 'mode', 'operation']

function actionsIn(input: Readonly<Record<string, unknown>>): string[] {
  return actions.flatMap((key) => {
    const action = input[key]
    return typeof action === 'string' && /^[A-Za-z_-]+$/.test(action) ? wordsOf(action) : []
  })
}

/**
 * A tool that is many in one only looks this time: every field that says what it does says so. A server's tool that is called
 * after writing writes, since it may take a field it does not know without a word.
 */
function saysThatItReads({ tool, input }: RuleCall): boolean {
  const said = actions.map((key) => input[key]).filter((action) => action !== undefined)
  return said.length > 0 && said.every(isReading) && !(tool.startsWith('mcp__') && wordsOf(tool.replace(/^mcp__.*?__/, '')).some((word) => writing.test(word)))
}

function isReading(action: unknown): boolean {
  return typeof action === 'string' && /^[A-Za-z_-]+$/.test(action) && wordsOf(action).every((word) => reading.test(word))
}

interface TextField {
  readonly words: readonly string[]
  readonly value: string
}

/** Folders times names: beyond, a name is compared with what lies anywhere. */
const mostPairs = 10_000

/** Every text of the input with the words of the key it stands under, and every key under one that speaks of places. However deep, however many. */
function fieldsOf(input: unknown): TextField[] {
  const out: TextField[] = []
  const seen = new Set<object>()
  const left: { readonly value: unknown; readonly words: readonly string[] }[] = [{ value: input, words: [] }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, words } = next
    if (typeof value === 'string') out.push({ words, value })
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    const isPlace = !Array.isArray(value) && words.some((word) => places.test(word))
    for (const [key, inner] of Object.entries(value)) {
      if (isPlace) out.push({ words, value: key })
      left.push({ value: inner, words: Array.isArray(value) ? words : wordsOf(key) })
    }
  }
  return out
}

/** `newFilePath`, `new_file_path` and `NewFilePath` are the words new, file and path. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}
