/** Files for config: reading, listing and real paths, with every way of failing told apart. Nothing here throws. */
import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { delimiter, extname, join } from 'node:path'
import type { FileRead, FilesPort, FolderRead, Ownership } from '../config/ports.ts'

/** The files of this machine. `env` tells where programs are looked for. */
export function createFiles({ env = process.env }: { env?: Readonly<Record<string, string | undefined>> } = {}): FilesPort {
  return {
    read,
    list,
    realPath: (path) => realpath(path).catch(() => undefined),
    exists: (path) => existsSync(path),
    ownership: (path) => stat(path).then(ownership, () => undefined),
    onPath: (name) => isOnPath(name, env),
  }
}

async function read(path: string, limit: number): Promise<FileRead> {
  let file: FileHandle | undefined
  try {
    // A named pipe would block without O_NONBLOCK until somebody writes to it.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = await file.stat()
    if (stats.isDirectory()) return { kind: 'directory' }
    if (!stats.isFile()) return { kind: 'unreadable', why: 'it is no ordinary file' }
    if (stats.size > limit) return { kind: 'too-large', bytes: stats.size }
    const bytes = await readUpTo(file, limit)
    if (bytes.length > limit) return { kind: 'too-large', bytes: bytes.length }
    const text = decode(bytes)
    if (text === undefined) return { kind: 'unreadable', why: utf16(bytes) ? 'it is UTF-16, and settings are UTF-8' : 'it is not UTF-8 text' }
    return { kind: 'text', text, realPath: await realpath(path).catch(() => path), ...ownership(stats) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', ...((await isLink(path)) && { link: true }) }
    if (code === 'EISDIR') return { kind: 'directory' }
    return { kind: 'unreadable', why: reason(error) }
  } finally {
    await file?.close().catch(() => undefined)
  }
}

/** Reads the opened file; one byte more than allowed tells that it grew. */
async function readUpTo(file: FileHandle, limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  while (length <= limit) {
    const part = Buffer.allocUnsafe(Math.min(65_536, limit + 1 - length))
    const { bytesRead } = await file.read(part, 0, part.length, null)
    if (bytesRead === 0) break
    parts.push(part.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(parts)
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function utf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
}

function ownership(stats: Stats): Ownership {
  return process.platform === 'win32' ? {} : { owner: stats.uid, writableByOthers: (stats.mode & 0o022) !== 0 }
}

async function list(folder: string): Promise<FolderRead> {
  try {
    return { kind: 'names', names: (await readdir(folder)).sort() }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : { kind: 'unreadable', why: reason(error) }
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  EIO: 'the disk reports an error',
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code === undefined ? undefined : reasons[code]) ?? code ?? message
}

function isOnPath(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const endings = process.platform === 'win32' && extname(name) === '' ? (env['PATHEXT'] ?? '.EXE;.CMD;.BAT;.COM').split(';') : ['']
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).some((folder) => folder !== '' && endings.some((ending) => isProgram(join(folder, name + ending))))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
