/** Grep: finds lines by a regular expression, with ripgrep where there is one and by itself where not. */
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { z } from 'zod'
import { absolute } from './place.ts'
import { findRipgrep, searchWithRipgrep } from './ripgrep.ts'
import { type FileHits, searchFiles } from './search-files.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool.ts'

const count = z.number().int().min(0).optional()
const schema = z.strictObject({
  pattern: z.string().min(1).describe('A regular expression'),
  path: z.string().min(1).optional().describe('A file or folder; default the current folder'),
  glob: z.string().optional().describe('Only files whose path matches, as *.ts'),
  type: z.string().optional().describe('Only files of a kind: js, ts, py, rust, go, md, …'),
  output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Lines, paths (default) or numbers'),
  '-A': count.describe('Lines after each hit, with output_mode content'),
  '-B': count.describe('Lines before each hit'),
  '-C': count.describe('Lines before and after each hit'),
  context: count.describe('The same as -C'),
  '-n': z.boolean().optional().describe('Line numbers, default true'),
  '-i': z.boolean().optional().describe('Capitals and small letters are the same'),
  multiline: z.boolean().optional().describe('Patterns may go over line ends'),
  head_limit: count.describe('At most so many lines or paths; default 250, 0 for all'),
  offset: count.describe('Leave out the first so many'),
})

type Input = z.output<typeof schema>

/** What is looked for, in our words. */
export interface Query {
  pattern: string
  root: string
  glob?: string
  type?: string
  ignoreCase: boolean
  multiline: boolean
  before: number
  after: number
}

export const grep = defineTool({
  name: 'Grep',
  description: 'Searches the text of files for a regular expression. What .gitignore leaves out is not searched. For names of files use Glob.',
  kind: 'read',
  schema,
  normalize: (input, workspace) => (input.path === undefined ? input : { ...input, path: absolute(input.path, workspace) }),
  async execute(input, context) {
    const root = absolute(input.path ?? '.', context.workspace)
    if ((await stat(root).catch(() => undefined)) === undefined)
      throw new ToolError(`Path does not exist: ${root}. Note: your current working directory is ${context.workspace.cwd}.`)
    const found = await search(queryOf(input, root), context)
    const name = (path: string) => {
      const short = relative(context.workspace.cwd, path)
      return short.startsWith('..') || short === '' ? path : short
    }
    return (input.output_mode === 'content' ? contentOf : input.output_mode === 'count' ? countsOf : pathsOf)(found, input, name)
  },
  textOf: (response) => {
    const { content, filenames } = (response ?? {}) as { content?: unknown; filenames?: unknown }
    if (typeof content === 'string') return content === '' ? 'No matches found' : content
    return Array.isArray(filenames) ? listed(filenames.map(String)) : undefined
  },
})

function queryOf(input: Input, root: string): Query {
  const around = input.context ?? input['-C'] ?? 0
  return {
    pattern: input.pattern,
    root,
    ...(input.glob === undefined ? {} : { glob: input.glob }),
    ...(input.type === undefined ? {} : { type: input.type }),
    ignoreCase: input['-i'] === true,
    multiline: input.multiline === true,
    before: input['-B'] ?? around,
    after: input['-A'] ?? around,
  }
}

async function search(query: Query, { workspace, signal }: ToolContext): Promise<FileHits[]> {
  const program = findRipgrep(workspace.env)
  if (program !== undefined) return searchWithRipgrep(program, query, { signal, env: workspace.env })
  const found: FileHits[] = []
  for await (const hits of searchFiles(query, signal)) found.push(hits)
  return found
}

const longestLine = 2000

type Show = (found: readonly FileHits[], input: Input, name: (path: string) => string) => ToolResult | Promise<ToolResult>

const pathsOf: Show = async (found, input, name) => {
  const dated = await Promise.all(found.map(async ({ path }) => ({ path, mtimeMs: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 })))
  dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
  const { kept, limits } = page(
    dated.map((it) => name(it.path)),
    input,
  )
  return { response: { mode: 'files_with_matches', filenames: kept, numFiles: kept.length, ...limits }, text: listed(kept) }
}

const contentOf: Show = (found, input, name) => {
  const { before, after } = queryOf(input, '')
  const numbers = input['-n'] !== false
  const lines: string[] = []
  for (const { path, lines: all, hits } of sorted(found)) {
    const isHit = new Set(hits)
    const shown = new Set<number>()
    for (const hit of hits) for (let at = Math.max(0, hit - before); at <= Math.min(hit + after, all.length - 1); at++) shown.add(at)
    let last = -1
    for (const at of [...shown].sort((a, b) => a - b)) {
      if (before + after > 0 && lines.length > 0 && (last === -1 || at > last + 1)) lines.push('--')
      const mark = isHit.has(at) ? ':' : '-'
      lines.push(`${name(path)}${mark}${numbers ? `${at + 1}${mark}` : ''}${(all[at] ?? '').slice(0, longestLine)}`)
      last = at
    }
  }
  const { kept, limits } = page(lines, input)
  const content = kept.join('\n')
  return {
    response: { mode: 'content', numFiles: 0, filenames: [], content, numLines: kept.length, ...limits },
    text: content === '' ? 'No matches found' : content,
  }
}

const countsOf: Show = (found, input, name) => {
  const { kept, limits } = page(
    sorted(found).map(({ path, hits }) => `${name(path)}:${hits.length}`),
    input,
  )
  const numMatches = found.reduce((sum, { hits }) => sum + hits.length, 0)
  const content = kept.join('\n')
  const response = { mode: 'count', numFiles: found.length, filenames: [], content, numMatches, ...limits }
  return { response, text: `${content === '' ? 'No matches found' : content}\n\nFound ${numMatches} total occurrences across ${found.length} files.` }
}

function sorted(found: readonly FileHits[]): FileHits[] {
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function listed(paths: readonly string[]): string {
  return paths.length === 0 ? 'No files found' : `Found ${paths.length} file${paths.length === 1 ? '' : 's'}\n${paths.join('\n')}`
}

function page(
  all: readonly string[],
  { head_limit: limit = 250, offset = 0 }: Input,
): { kept: string[]; limits: { appliedLimit?: number; appliedOffset?: number } } {
  const kept = all.slice(offset, limit === 0 ? undefined : offset + limit)
  const cut = offset + kept.length < all.length
  return { kept, limits: { ...(cut ? { appliedLimit: limit } : {}), ...(offset > 0 ? { appliedOffset: offset } : {}) } }
}
