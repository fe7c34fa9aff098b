/** The tools that a verifier has in Node: Read, Glob and Grep below the folder where the event stands. They change nothing and start nothing. */
import { relative, sep } from 'node:path'
import type { VerifierTool } from '../protocol/ports.ts'
import { createLineSearch } from './bounded-search.ts'
import { createFiles } from './files.ts'
import { pathPattern } from './path-pattern.ts'
import { type Ground, placeOn, shownPath } from './reading-ground.ts'
import { walkFiles } from './walk-files.ts'

const longestFile = 4 * 1_048_576
const mostLines = 2_000
const longestLine = 1_000
const mostFound = 300

const text = { type: 'string' }
const schemaOf = (properties: object, required: readonly string[]) => ({ type: 'object', properties, required, additionalProperties: false })

/** Makes the tools for one verifier. */
export function verifierTools(ground: Ground): readonly VerifierTool[] {
  return [
    {
      name: 'Read',
      description: `Reads a text file and gives its lines with their numbers, at most ${mostLines} of them.`,
      inputSchema: schemaOf(
        {
          file_path: { ...text, description: 'The file, absolute or relative to the current folder.' },
          offset: { type: 'integer', minimum: 1, description: 'The first line, from 1.' },
          limit: { type: 'integer', minimum: 1, description: 'How many lines.' },
        },
        ['file_path'],
      ),
      execute: (input) => readLines(ground, fieldsOf(input)),
    },
    {
      name: 'Glob',
      description: 'Lists the files that a pattern names, for example "src/**/*.ts".',
      inputSchema: schemaOf({ pattern: text, path: { ...text, description: 'The folder to start from; default: the current one.' } }, ['pattern']),
      execute: (input, { signal }) => listFiles(ground, fieldsOf(input), signal),
    },
    {
      name: 'Grep',
      description: 'Finds the lines of files that match a regular expression, and gives path, number and line.',
      inputSchema: schemaOf(
        {
          pattern: { ...text, description: 'A JavaScript regular expression, tried on each line.' },
          path: { ...text, description: 'A file or folder; default: the current folder.' },
          glob: { ...text, description: 'Only files that this pattern names.' },
          ignore_case: { type: 'boolean' },
        },
        ['pattern'],
      ),
      execute: (input, { signal }) => searchFiles(ground, fieldsOf(input), signal),
    },
  ]
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(input: unknown): Fields {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Fields) : {}
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || typeof value === 'string') return value
  throw new Error(`"${name}" must be a text.`)
}

function needed(fields: Fields, name: string): string {
  const value = textIn(fields, name)
  if (value === undefined || value === '') throw new Error(`"${name}" is missing.`)
  return value
}

function countIn(fields: Fields, name: string, otherwise: number): number {
  const value = fields[name] ?? otherwise
  if (Number.isInteger(value) && (value as number) >= 1) return value as number
  throw new Error(`"${name}" must be a whole number from 1.`)
}

async function readLines(ground: Ground, fields: Fields): Promise<string> {
  const asked = needed(fields, 'file_path')
  const lines = (await contentOf(ground, asked)).split('\n')
  const from = countIn(fields, 'offset', 1)
  const count = Math.min(mostLines, countIn(fields, 'limit', mostLines))
  const shown = lines.slice(from - 1, from - 1 + count).map((line, at) => `${from + at}\t${cutLine(line)}`)
  const left = lines.length - (from - 1 + shown.length)
  return [...shown, ...(left > 0 ? [`… (${left} more lines)`] : [])].join('\n')
}

/** The text of a file. @throws Error, in words for the model. */
async function contentOf(ground: Ground, asked: string): Promise<string> {
  const path = placeOn(ground, asked)
  const read = await createFiles().read(path, longestFile)
  switch (read.kind) {
    case 'text':
      // The file may have been replaced by a link meanwhile.
      placeOn(ground, read.realPath)
      return read.text
    case 'missing':
      throw new Error(`There is no file ${JSON.stringify(asked)}.`)
    case 'directory':
      throw new Error(`${JSON.stringify(asked)} is a folder.`)
    case 'too-large':
      throw new Error(`${JSON.stringify(asked)} is too large to be read.`)
    case 'unreadable':
      throw new Error(`${JSON.stringify(asked)} cannot be read as text.`)
  }
}

async function listFiles(ground: Ground, fields: Fields, signal: AbortSignal): Promise<string> {
  const { pattern, path } = fromFolder(needed(fields, 'pattern'), textIn(fields, 'path') ?? '.')
  const matches = pathPattern(pattern)
  const folder = placeOn(ground, path)
  const found: string[] = []
  for await (const file of walkFiles(folder, signal)) {
    if (!matches(wayTo(folder, file)) || !ground.mayRead(file)) continue
    if (found.length === mostFound) return [...found, '… (and more)'].join('\n')
    found.push(shownPath(ground, file))
  }
  return found.length === 0 ? 'No file is named by this pattern.' : found.join('\n')
}

/** An absolute pattern starts at the last folder that it names without a sign. */
function fromFolder(pattern: string, path: string): { pattern: string; path: string } {
  if (!pattern.startsWith('/')) return { pattern, path }
  const parts = pattern.split('/')
  const first = parts.findIndex((part) => /[*?[{]/.test(part))
  const cut = first === -1 ? parts.length - 1 : first
  return { pattern: parts.slice(cut).join('/'), path: parts.slice(0, cut).join('/') || '/' }
}

async function searchFiles(ground: Ground, fields: Fields, signal: AbortSignal): Promise<string> {
  const search = createLineSearch(needed(fields, 'pattern'), { ignoreCase: fields['ignore_case'] === true })
  const glob = textIn(fields, 'glob')
  const named = glob === undefined ? () => true : pathPattern(glob, { anywhere: true })
  const start = placeOn(ground, textIn(fields, 'path') ?? '.')
  const found: string[] = []
  const slow: string[] = []
  for await (const file of filesAt(start, signal)) {
    if (file !== start && (!named(wayTo(start, file)) || !ground.mayRead(file))) continue
    const content = await contentOf(ground, file).catch(() => undefined)
    if (content === undefined || content.includes('\0')) continue
    const lines = search(content, mostFound + 1 - found.length)
    if (lines === null) slow.push(shownPath(ground, file))
    const all = content.split('\n')
    for (const number of lines ?? []) found.push(`${shownPath(ground, file)}:${number}:${cutLine(all[number - 1] ?? '')}`)
    if (found.length > mostFound || slow.length > 5) break
  }
  const notes = [
    ...(found.length > mostFound ? ['… (and more)'] : []),
    ...(slow.length > 0 ? [`Not searched to the end, the pattern is too slow: ${slow.join(', ')}`] : []),
  ]
  return [...(found.length === 0 ? ['No line matches.'] : found.slice(0, mostFound)), ...notes].join('\n')
}

/** One file, or those below a folder. */
async function* filesAt(start: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let any = false
  for await (const file of walkFiles(start, signal)) {
    any = true
    yield file
  }
  if (!any) yield start
}

function wayTo(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/')
}

function cutLine(line: string): string {
  const bare = line.replace(/\r$/, '')
  return bare.length > longestLine ? `${bare.slice(0, longestLine)}…` : bare
}
