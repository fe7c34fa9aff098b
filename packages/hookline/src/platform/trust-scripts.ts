/** Looks at the scripts that hooks name: bytes and digest from one opened file. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import type { ScriptRead, ScriptsPort } from '../config/trust-ports.ts'

/** Longer texts are told by their digest; no hook is a megabyte of text that somebody reads. */
const longestText = 1_048_576
/** What is larger is no script. */
const mostBytes = 67_108_864

/** What came of reading a script: as for consent, with the bytes themselves for a copy. */
export type ScriptBytes = (Extract<ScriptRead, { kind: 'file' }> & { readonly content: Buffer }) | Exclude<ScriptRead, { kind: 'file' }>

/** The scripts of this machine. */
export const nodeScripts: ScriptsPort = {
  async read(path) {
    const read = await readScript(path)
    if (read.kind !== 'file') return read
    const { content: _, ...rest } = read
    return rest
  },
  realPath: (path) => realpath(path).catch(() => undefined),
}

/** Reads a script whole. Never throws. */
export async function readScript(path: string): Promise<ScriptBytes> {
  let file: FileHandle | undefined
  try {
    // A named pipe would block without O_NONBLOCK until somebody writes to it.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    if (!stats.isFile()) return { kind: 'other', why: stats.isDirectory() ? 'it is a folder' : 'it is no ordinary file' }
    if (stats.size > mostBytes) return { kind: 'other', why: `it has ${stats.size} bytes` }
    const content = await file.readFile()
    const text = content.length > longestText ? undefined : decode(content)
    return {
      kind: 'file',
      digest: createHash('sha256').update(content).digest('hex'),
      bytes: content.length,
      executable: (stats.mode & 0o111) !== 0,
      content,
      ...(text === undefined ? {} : { text }),
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'other', why: code ?? message }
  } finally {
    await file?.close().catch(() => undefined)
  }
}

function decode(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
