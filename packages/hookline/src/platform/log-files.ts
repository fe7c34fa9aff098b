/** The file calls of the audit log, behind a port, so that a test can let each of them fail. */
import {
  chmodSync,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'

/** What the log asks about a file. */
export interface FileFacts {
  /** Tells one file from another, whatever its name. */
  readonly id: string
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly changedAt: number
  readonly isFile: boolean
  /** Group or others may read or write it. */
  readonly open: boolean
  /** A folder in which others may make and remove files. */
  readonly othersWrite: boolean
}

/** How a file is opened: `append` an existing one, `create` one that is not there, `read`, or `note` where it does not matter. Links are refused. */
export type Opening = 'append' | 'create' | 'read' | 'note'

/** A mark: a name in a folder that holds a short text, made in one step. */
export interface Mark {
  readonly text: string
  readonly madeAt: number
}

/** Every call may throw what Node throws; what is merely not there is `undefined`. */
export interface LogFiles {
  /** Makes a folder, and those above it, for this user only. */
  makeFolder(path: string): void
  /** Names in a folder; none when there is no folder. */
  list(folder: string): string[]
  look(path: string): FileFacts | undefined
  open(path: string, how: Opening): number
  facts(fd: number): FileFacts
  /** Up to `length` bytes from `at`; fewer at the end. */
  read(fd: number, at: number, length: number): Uint8Array
  /** How many bytes were taken. */
  write(fd: number, bytes: Uint8Array): number
  cut(fd: number, size: number): void
  /** Makes an existing file private. */
  hide(path: string): void
  close(fd: number): void
  remove(path: string): void
  /** Makes a mark; false when there is one. */
  mark(path: string, text: string): boolean
  readMark(path: string): Mark | undefined
  /** Waits until the bytes of the file are on the disk. */
  flush(fd: number): Promise<void>
  /** The same for the names in a folder, where the system can. */
  flushFolder(path: string): Promise<void>
}

const noFollow = constants.O_NOFOLLOW ?? 0
const flagsOf: Readonly<Record<Opening, number>> = {
  append: constants.O_RDWR | constants.O_APPEND | noFollow,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | noFollow,
  note: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow,
  read: constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0),
}

/** The files of this machine. */
export const nodeLogFiles: LogFiles = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (folder) => orMissing(() => readdirSync(folder)) ?? [],
  look: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? undefined : factsOf(stats)
  },
  open: (path, how) => openSync(path, flagsOf[how], 0o600),
  facts: (fd) => factsOf(fstatSync(fd)),
  read: (fd, at, length) => {
    const bytes = new Uint8Array(length)
    let read = 0
    while (read < length) {
      const count = readSync(fd, bytes, read, length - read, at + read)
      if (count === 0) break
      read += count
    }
    return bytes.subarray(0, read)
  },
  write: (fd, bytes) => writeSync(fd, bytes),
  cut: (fd, size) => ftruncateSync(fd, size),
  hide: (path) => chmodSync(path, 0o600),
  close: (fd) => closeSync(fd),
  remove: (path) => void orMissing(() => unlinkSync(path)),
  mark: (path, text) => makeMark(path, text),
  readMark: (path) => orMissing(() => readMark(path)),
  flush: (fd) => settled((done) => fdatasync(fd, done)),
  flushFolder: async (path) => {
    if (process.platform === 'win32') return
    const fd = openSync(path, constants.O_RDONLY)
    try {
      await settled((done) => fsync(fd, done))
    } finally {
      closeSync(fd)
    }
  },
}

function factsOf(stats: Stats): FileFacts {
  return {
    id: `${stats.dev}.${stats.ino}`,
    size: stats.size,
    changedAt: stats.mtimeMs,
    isFile: stats.isFile(),
    open: process.platform !== 'win32' && (stats.mode & 0o077) !== 0,
    othersWrite: process.platform !== 'win32' && stats.isDirectory() && (stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0,
  }
}

function orMissing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A symbolic link is made together with its text; a file would be empty for a moment. */
function makeMark(path: string, text: string): boolean {
  try {
    if (process.platform !== 'win32') {
      symlinkSync(text, path)
      return true
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // This file system has no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code)) throw error
  }
  return makeMarkFile(path, text)
}

function makeMarkFile(path: string, text: string): boolean {
  let fd: number
  try {
    fd = openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(fd, text)
  } finally {
    closeSync(fd)
  }
  return true
}

function readMark(path: string): Mark {
  const madeAt = lstatSync(path).mtimeMs
  try {
    return { text: readlinkSync(path), madeAt }
  } catch (error) {
    // Node says UNKNOWN on Windows where others say EINVAL.
    if (!['EINVAL', 'UNKNOWN'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return { text: readFileSync(path, 'utf8'), madeAt }
  }
}

function settled(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error === null ? resolve() : reject(error))))
}
