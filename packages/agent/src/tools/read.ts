/** Read: the text of a file with line numbers; pictures and PDFs are shown to the model. */
import { open, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { z } from 'zod'
import { noteRead, notFound, readFailure } from './file-state.ts'
import { isShown, mediaOf, mostBytes, shownFile } from './pictures.ts'
import { absolute } from './place.ts'
import { defineTool, ToolError, type ToolResult } from './tool.ts'

const schema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, best absolute'),
  offset: z.number().int().min(0).optional().describe('The line to begin with, from 1'),
  limit: z.number().int().positive().optional().describe('How many lines'),
})

const usualLines = 2000
const longestLine = 2000
const wholeBytes = 256 * 1024
/** Even a part of a file is taken from what fits into memory without harm. */
const partBytes = 64 * 1024 * 1024

export const read = defineTool({
  name: 'Read',
  description: [
    `Reads a file and gives its lines with their numbers, at most ${usualLines} at once; offset and limit choose a part.`,
    'Pictures (PNG, JPEG, GIF, WebP) and PDFs are shown to you.',
    'A file must be read before Edit or Write may change it. A folder is listed with Glob or Bash, not with this tool.',
  ].join('\n'),
  kind: 'read',
  schema,
  normalize: (input, workspace) => ({ ...input, file_path: absolute(input.file_path, workspace) }),
  async execute(input, { workspace, sent }) {
    const path = absolute(input.file_path, workspace)
    const found = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' || error.code === 'ENOTDIR' ? await notFound(path, workspace) : readFailure(error, path)
    })
    if (found.isDirectory()) throw new ToolError(`EISDIR: illegal operation on a directory, read '${path}'`)
    // A pipe or a device would keep us waiting, or never end.
    if (!found.isFile()) throw new ToolError(`${path} is not a regular file, so it cannot be read with this tool.`)
    const part = input.offset !== undefined || input.limit !== undefined
    if (isShown(path)) {
      if (found.size > mostBytes(path))
        throw new ToolError(
          `${path} is too large to be shown (${inWords(found.size)}, at most ${inWords(mostBytes(path))}). Make a smaller copy, or take a part of it.`,
        )
      return shownFile(path, await contentOf(path))
    }
    if (found.size > (part ? partBytes : wholeBytes)) throw tooLarge(found.size, part ? partBytes : wholeBytes)
    const bytes = await contentOf(path)
    if (isBinary(bytes)) {
      const ending = extname(path)
      const what = ending === '' ? 'to be binary' : `to be a binary ${ending} file`
      throw new ToolError(`This tool cannot read binary files. The file appears ${what}. Please use appropriate tools for binary file analysis.`)
    }
    await noteRead(path, workspace)
    return shown(bytes.toString('utf8').replace(/^\uFEFF/, ''), { ...input, file_path: writtenAs(sent) ?? path })
  },
  mediaOf: (response) => mediaOf(response) ?? [],
  textOf(response) {
    if (mediaOf(response) !== undefined) return `[${mediaOf(response)?.[0]?.mediaType}]`
    const file = (response as { file?: { content?: unknown; startLine?: unknown } } | null)?.file
    if (typeof file?.content !== 'string') return undefined
    return numbered(file.content.split('\n'), typeof file.startLine === 'number' ? file.startLine : 1)
  },
})

/** The path as the model wrote it: the published CLI hands it back so. */
function writtenAs(sent: unknown): string | undefined {
  const { file_path: path } = (sent ?? {}) as { file_path?: unknown }
  return typeof path === 'string' ? path : undefined
}

function shown(text: string, { file_path, offset = 1, limit = usualLines }: z.output<typeof schema>): ToolResult {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const first = Math.max(1, offset)
  const chosen = lines.slice(first - 1, first - 1 + limit)
  const file = { filePath: file_path, content: chosen.join('\n'), numLines: chosen.length, startLine: first, totalLines: lines.length }
  const response = { type: 'text', file }
  if (text === '') return { response, text: note('the file exists but the contents are empty.') }
  if (chosen.length === 0)
    return { response, text: note(`the file exists but is shorter than the provided offset (${first}). The file has ${lines.length} lines.`) }
  const more = lines.length - (first - 1 + chosen.length)
  const rest = more > 0 ? `\n\n(${more} more lines; read on with offset ${first + chosen.length})` : ''
  return { response, text: numbered(chosen, first) + rest }
}

function numbered(lines: readonly string[], first: number): string {
  return lines
    .map(
      (line, at) => `${first + at}\t${line.length > longestLine ? `${line.slice(0, longestLine)}… [${line.length - longestLine} characters left out]` : line}`,
    )
    .join('\n')
}

function note(text: string): string {
  return `<system-reminder>Warning: ${text}</system-reminder>`
}

async function contentOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw readFailure(error, path)
  })
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** A NUL among the first bytes, which no text in UTF-8 has. */
function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0)
}

function tooLarge(size: number, limit: number): ToolError {
  return new ToolError(
    `File content (${inWords(size)}) exceeds maximum allowed size (${inWords(limit)}). Use offset and limit parameters to read specific portions of the file, or search for specific content instead of reading the whole file.`,
  )
}

function inWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)}MB` : `${Math.round(bytes / 1024)}KB`
}
