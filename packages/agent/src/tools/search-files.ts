/** Looks for a pattern in files without ripgrep: the same answers, line by line, in bounded time. */
import { readFile, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { createContext, Script } from 'node:vm'
import picomatch from 'picomatch'
import type { Query } from './grep.ts'
import { ToolError } from './tool.ts'
import { walk } from './walk.ts'

const largest = 8 * 1024 * 1024
/** For one file; a pattern that needs longer has no end. */
const limitMs = 2000

const endings: Readonly<Record<string, readonly string[]>> = {
  js: ['js', 'mjs', 'cjs', 'jsx'],
  ts: ['ts', 'mts', 'cts', 'tsx'],
  py: ['py', 'pyi'],
  rust: ['rs'],
  go: ['go'],
  java: ['java'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hpp', 'hh', 'h'],
  md: ['md', 'markdown', 'mdx'],
  json: ['json'],
  html: ['html', 'htm'],
  css: ['css', 'scss'],
  sh: ['sh', 'bash', 'zsh'],
  yaml: ['yaml', 'yml'],
  toml: ['toml'],
}

/** Lines that match in one file, from 0, in order. */
export interface FileHits {
  path: string
  lines: readonly string[]
  hits: readonly number[]
}

/** @throws ToolError when the pattern is no regular expression, or takes too long. */
export async function* searchFiles(query: Query, signal: AbortSignal): AsyncGenerator<FileHits> {
  const test = tester(query)
  const isFile = (await stat(query.root)).isFile()
  const wanted = wantedFiles(query)
  for await (const path of isFile ? [query.root] : walk(query.root, { signal })) {
    if (!isFile && !wanted(relative(query.root, path))) continue
    const text = await textOf(path)
    if (text === undefined) continue
    const lines = text.split(/\r?\n/)
    const hits = query.multiline ? spans(text, test) : test(lines)
    // What follows the last line break is no line.
    if (lines.at(-1) === '') lines.pop()
    const real = hits.filter((hit) => hit < lines.length)
    if (real.length > 0) yield { path, lines, hits: real }
  }
}

function wantedFiles({ glob, type }: Query): (path: string) => boolean {
  const byType = type === undefined ? undefined : endings[type]
  if (type !== undefined && byType === undefined) throw new ToolError(`Unknown file type: ${type}. Known are ${Object.keys(endings).join(', ')}; or use glob.`)
  const byGlob = glob === undefined ? undefined : picomatch(glob.includes('/') ? glob : `**/${glob}`, { dot: true })
  return (path) => (byType === undefined || byType.some((ending) => path.endsWith(`.${ending}`))) && (byGlob === undefined || byGlob(path))
}

/** Gives the numbers of the lines that match; for a whole text in one piece, the places where matches begin and end. */
type Tester = (lines: readonly string[]) => number[]

// The match runs in a context of its own, because V8 can end it there, even inside one match.
const script = new Script(`
  hits = []
  for (let at = 0; at < lines.length; at++) {
    if (pattern.global) for (const match of lines[at].matchAll(pattern)) hits.push(match.index, match.index + Math.max(0, match[0].length - 1))
    else if (pattern.test(lines[at])) hits.push(at)
  }`)

function tester({ pattern, ignoreCase, multiline }: Query): Tester {
  const room: { pattern: RegExp; lines: readonly string[]; hits: number[] } = createContext({
    pattern: compile(pattern, `${ignoreCase ? 'i' : ''}${multiline ? 'gms' : ''}`),
    lines: [],
    hits: [],
  }) as typeof room
  return (lines) => {
    room.lines = lines
    try {
      script.runInContext(room, { timeout: limitMs })
    } catch {
      throw new ToolError(`The pattern ${pattern} takes too long. Make it simpler.`)
    }
    return [...room.hits]
  }
}

/** All lines that matches of a whole text touch. */
function spans(text: string, test: Tester): number[] {
  const places = test([text])
  const touched = new Set<number>()
  for (let at = 0; at < places.length; at += 2) {
    const [from, to] = [lineAt(text, places[at] ?? 0), lineAt(text, places[at + 1] ?? 0)]
    for (let line = from; line <= to; line++) touched.add(line)
  }
  return [...touched].sort((a, b) => a - b)
}

function lineAt(text: string, place: number): number {
  let line = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line++
  return line
}

function compile(pattern: string, flags: string): RegExp {
  // Rust writes flags in front, JavaScript behind.
  const inline = /^\(\?([ims]+)\)/.exec(pattern)
  const all = [...new Set(`${flags}${inline?.[1] ?? ''}`)].join('')
  const bare = pattern.slice(inline?.[0].length ?? 0)
  try {
    return new RegExp(bare, all)
  } catch (error) {
    throw new ToolError(`The pattern is not a regular expression: ${(error as Error).message}`)
  }
}

async function textOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !found.isFile() || found.size > largest) return undefined
  const bytes = await readFile(path).catch(() => undefined)
  return bytes === undefined || bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString('utf8')
}
