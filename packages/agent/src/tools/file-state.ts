/** What a conversation knows of the files that it read: nothing is overwritten that was not seen as it is now. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { ToolError, type Workspace } from './tool.ts'

/** Notes that the conversation has seen, or itself written, the file as it is now. */
export async function noteRead(path: string, workspace: Workspace): Promise<void> {
  const { mtimeMs, size } = await stat(path)
  workspace.filesRead.set(path, { mtimeMs, size })
  workspace.services.fileTouched?.(path)
}

/** The text of a file that is about to change; `undefined` when there is none. @throws ToolError when it was not read, or changed since. */
export async function textBeforeChange(path: string, workspace: Workspace): Promise<string | undefined> {
  const now = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw readFailure(error, path)
  })
  if (now === undefined) return undefined
  if (now.isDirectory()) throw new ToolError(`EISDIR: illegal operation on a directory, open '${path}'`)
  if (!now.isFile()) throw new ToolError(`${path} is not a regular file, so it cannot be changed with this tool.`)
  const seen = workspace.filesRead.get(path)
  if (seen === undefined) throw new ToolError('File has not been read yet. Read it first before writing to it.')
  if (seen.mtimeMs !== now.mtimeMs || seen.size !== now.size)
    throw new ToolError('File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.')
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw readFailure(error, path)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Written back as UTF-8 it would lose what we could not read.
    throw new ToolError(`${path} is not UTF-8, so this tool would damage it. Change it with Bash.`)
  }
}

/** There is no such file: says where we are, and which file may have been meant. */
export async function notFound(path: string, workspace: Workspace): Promise<ToolError> {
  const near = await similar(path)
  return new ToolError(`File does not exist. Note: your current working directory is ${workspace.cwd}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
}

/** A file of the same name with another ending, or with other capitals. */
async function similar(path: string): Promise<string | undefined> {
  const names = await readdir(dirname(path)).catch(() => [])
  const stem = (name: string) => basename(name, extname(name)).toLowerCase()
  const found = names.find((name) => name.toLowerCase() === basename(path).toLowerCase()) ?? names.find((name) => stem(name) === stem(path))
  return found === undefined ? undefined : join(dirname(path), found)
}

/** An error of the file system in words that name the file. */
export function readFailure(error: NodeJS.ErrnoException, path: string): ToolError {
  if (error.code === 'EACCES' || error.code === 'EPERM') return new ToolError(`Permission denied: ${path}`)
  return new ToolError(error.message)
}
