/** Glob: finds files by a pattern of their names. */
import { stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import picomatch from 'picomatch'
import { z } from 'zod'
import { absolute } from './place.ts'
import { defineTool, ToolError } from './tool.ts'
import { walk } from './walk.ts'

const schema = z.strictObject({
  pattern: z.string().min(1).describe('For example **/*.ts or src/{a,b}/*.md'),
  path: z.string().min(1).optional().describe('The folder to look in; default the current one'),
})

const most = 100

export const glob = defineTool({
  name: 'Glob',
  description: `Finds files whose path matches a pattern, the ones changed last first, at most ${most}. What .gitignore leaves out is not found.`,
  kind: 'read',
  schema,
  normalize: (input, workspace) => (input.path === undefined ? input : { ...input, path: absolute(input.path, workspace) }),
  async execute(input, { workspace, signal }) {
    const began = performance.now()
    const { root, pattern } = split(absolute(input.path ?? '.', workspace), input.pattern)
    const folder = await stat(root).catch(() => undefined)
    if (folder === undefined && input.path !== undefined && pattern === input.pattern)
      throw new ToolError(`Directory does not exist: ${root}. Note: your current working directory is ${workspace.cwd}.`)
    if (folder?.isFile() === true) throw new ToolError(`Path is not a directory: ${root}`)
    const matches = picomatch(pattern, { dot: true })
    const found: { path: string; mtimeMs: number }[] = []
    for await (const path of walk(root, { signal, ...(pattern.includes('node_modules') ? { modules: true } : {}) })) {
      if (!matches(relative(root, path))) continue
      // It may have gone since.
      const times = await stat(path).catch(() => undefined)
      if (times !== undefined) found.push({ path, mtimeMs: times.mtimeMs })
    }
    found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
    const filenames = found.slice(0, most).map((it) => it.path)
    const truncated = found.length > most
    const response = { filenames, durationMs: Math.round(performance.now() - began), numFiles: filenames.length, truncated }
    return { response, text: textOf(filenames, truncated) }
  },
  textOf: (response) => {
    const { filenames, truncated } = (response ?? {}) as { filenames?: unknown; truncated?: unknown }
    return Array.isArray(filenames) ? textOf(filenames.map(String), truncated === true) : undefined
  },
})

function textOf(filenames: readonly string[], truncated: boolean): string {
  if (filenames.length === 0) return 'No files found'
  return truncated ? `${filenames.join('\n')}\n(Results are truncated. Consider using a more specific path or pattern.)` : filenames.join('\n')
}

/** The folder that a pattern names in front of its first star is where the walk begins. */
function split(root: string, pattern: string): { root: string; pattern: string } {
  const { base, glob: rest } = picomatch.scan(pattern)
  if (base === '' || rest === '' || !(isAbsolute(base) || base.startsWith('..'))) return { root, pattern }
  return { root: isAbsolute(base) ? base : join(root, base), pattern: rest }
}
