/** Says in words why a program could not be started. */
import { openSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { closeDescriptor } from './close-descriptor.ts'

/** What was tried. */
export interface Attempt {
  /** As written. */
  readonly program: string
  /** What it stands for; absent when it was not found on PATH. */
  readonly file?: string
  readonly args: readonly string[]
  readonly cwd: string
}

const words: Readonly<Record<string, (attempt: Attempt) => string>> = {
  ENOENT: (attempt) => folderFault(attempt.cwd) ?? interpreterFault(attempt) ?? notFound(attempt),
  ENOTDIR: (attempt) => folderFault(attempt.cwd) ?? `a part of the path ${show(attempt.program)} is not a folder`,
  EACCES: accessFault,
  EPERM: ({ program }) => `the system does not permit to run ${show(program)}`,
  ENOEXEC: ({ program }) => `${show(program)} is not a program this machine can run; a script needs a first line such as "#!/bin/sh"`,
  E2BIG: () => 'the command line and the environment together are larger than the system allows; hand large data over on standard input or in a file',
  ENAMETOOLONG: () => 'the name of the program is longer than the system allows',
  ELOOP: ({ program }) => `${show(program)} leads through too many symbolic links`,
  ETXTBSY: ({ program }) => `${show(program)} is being written at the moment`,
  EAGAIN: () => 'the system has no room for another process; raise the limit on processes or run fewer hooks at once',
  ENOMEM: () => 'the system has no memory for another process',
  EMFILE: () => 'this process has too many files open to start another one; raise the limit on open files',
  ENFILE: () => 'the system has too many files open to start another process',
  EINVAL: ({ program }) =>
    program === '' ? 'the command is empty' : 'the command, an argument or a variable holds a NUL character, which no program can be given',
}

/** One sentence that starts with the system's code. */
export function explainSpawnError(code: string, attempt: Attempt): string {
  // Node checks for NUL and for an empty name itself, and has a code of its own for it.
  const name = code === 'ERR_INVALID_ARG_VALUE' ? 'EINVAL' : code
  const explain = words[name]
  return `${name}: ${explain === undefined ? `the system could not start ${show(attempt.program)}` : explain(attempt)}`
}

function notFound({ program, args }: Attempt): string {
  if (program.includes('/')) return `there is no file ${show(program)}`
  const [first = '', ...rest] = program.trim().split(/\s+/)
  const hint =
    rest.length === 0
      ? ''
      : `; a command with "args" is the name of one program: write ${show(first)} and put ${[...rest, ...args].map(show).join(', ')} into "args"`
  return `there is no program ${show(program)} on PATH${hint}`
}

function accessFault(attempt: Attempt): string {
  const file = resolve(attempt.cwd, attempt.file ?? attempt.program)
  const kind = kindOf(file)
  if (kind === 'folder') return `${show(attempt.program)} is a folder, not a program`
  if (kind === 'file') return `${show(attempt.program)} may not be executed; run: chmod +x ${attempt.program}`
  return folderFault(attempt.cwd) ?? `access to ${show(attempt.program)} or to the working folder ${show(attempt.cwd)} is denied`
}

function folderFault(cwd: string): string | undefined {
  const kind = kindOf(cwd)
  if (kind === 'folder') return undefined
  return kind === undefined ? `the working folder ${show(cwd)} does not exist` : `the working folder ${show(cwd)} is not a folder`
}

/** A script that exists and still is "not found" names an interpreter that is not there. */
function interpreterFault({ program, file, cwd }: Attempt): string | undefined {
  const line = firstLine(resolve(cwd, file ?? program))
  if (line === undefined) return undefined
  if (!line.startsWith('#!')) return `${show(program)} exists, but the loader or the library it needs does not`
  const interpreter = line.slice(2).trim().split(/\s+/)[0] ?? ''
  if (line.endsWith('\r'))
    return `the first line of ${show(program)} ends in CR LF, so its interpreter ${show(interpreter)} is not found; save the file with LF line ends`
  return `the interpreter ${show(interpreter)} that ${show(program)} names in its first line does not exist`
}

function firstLine(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    if (kindOf(file) !== 'file') return undefined
    descriptor = openSync(file, 'r')
    const start = Buffer.alloc(256)
    const line = start.toString('latin1', 0, readSync(descriptor, start)).split('\n', 1)[0]
    return line
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeDescriptor(descriptor)
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined
  }
}

function show(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
