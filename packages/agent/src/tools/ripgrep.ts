/** Looks for a pattern in files with ripgrep, where it is on PATH. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Query } from './grep.ts'
import type { FileHits } from './search-files.ts'
import { ToolError } from './tool.ts'

/** The program, or `undefined` when there is none on this PATH. */
export function findRipgrep(env: Record<string, string | undefined>): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Its `--json` lines as hits. @throws ToolError with ripgrep's own words. */
export async function searchWithRipgrep(
  program: string,
  query: Query,
  { signal, env }: { signal: AbortSignal; env: Record<string, string | undefined> },
): Promise<FileHits[]> {
  const child = spawn(program, argumentsOf(query), { env, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let [out, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).catch((error: Error) => {
    signal.throwIfAborted()
    throw new ToolError(`ripgrep could not be started: ${error.message}`)
  })
  // 2 may also mean that one file could not be read.
  if (code === 2 && out.trim() === '') throw new ToolError(complaint.trim() || 'ripgrep failed.')
  return readHits(out)
}

function argumentsOf({ pattern, root, ignoreCase, multiline, glob, type, before, after }: Query): string[] {
  return [
    '--json',
    '--no-config',
    '--hidden',
    '--no-require-git',
    ...['.git', '.hg', '.svn', '.jj', 'node_modules'].flatMap((name) => ['--glob', `!${name}`]),
    ...(glob === undefined ? [] : ['--glob', glob]),
    ...(type === undefined ? [] : ['--type', type]),
    ...(ignoreCase ? ['-i'] : []),
    ...(multiline ? ['-U', '--multiline-dotall'] : []),
    ...(before > 0 ? ['-B', String(before)] : []),
    ...(after > 0 ? ['-A', String(after)] : []),
    '-e',
    pattern,
    '--',
    root,
  ]
}

interface Line {
  type: string
  data: { path?: { text?: string }; lines?: { text?: string }; line_number?: number | null }
}

function readHits(json: string): FileHits[] {
  const files = new Map<string, { lines: string[]; hits: number[] }>()
  for (const text of json.split('\n')) {
    if (text === '') continue
    const { type, data } = JSON.parse(text) as Line
    const path = data.path?.text
    const first = data.line_number
    if ((type !== 'match' && type !== 'context') || path === undefined || typeof first !== 'number') continue
    const file = files.get(path) ?? { lines: [], hits: [] }
    files.set(path, file)
    for (const [at, line] of (data.lines?.text ?? '')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .entries()) {
      file.lines[first - 1 + at] = line
      if (type === 'match') file.hits.push(first - 1 + at)
    }
  }
  return [...files].map(([path, { lines, hits }]) => ({ path, lines, hits }))
}
