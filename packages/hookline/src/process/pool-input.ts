/** What hooks read, as private files: one for all runs that are given the same bytes at the same time. */
import { closeSync, openSync, unlinkSync, writevSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** One file while it is needed. */
export interface InputFile {
  readonly path: string
  /** Settles when it is whole; rejects when it could not be written. */
  readonly written: Promise<void> | undefined
  /** This run has no more use for it. */
  release(): void
}

/** Writes inputs into one folder. */
export interface InputFiles {
  hold(pieces: readonly Uint8Array[]): InputFile
}

interface Shared {
  readonly pieces: readonly Uint8Array[]
  readonly path: string
  readonly written: Promise<void> | undefined
  users: number
}

// What is larger would keep the event loop waiting for the copy.
const largestAtOnce = 262_144

/** Inputs in `folder`, which must exist. */
export function createInputFiles(folder: string): InputFiles {
  // By the first piece: the event, which is one object for all its hooks.
  const held = new Map<Uint8Array, Shared>()
  let made = 0

  const share = (pieces: readonly Uint8Array[], first: Uint8Array): Shared => {
    const known = held.get(first)
    if (known !== undefined && isSame(known.pieces, pieces)) return known
    const path = join(folder, `i${++made}`)
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const shared = { pieces, path, written: size > largestAtOnce ? writeLarge(path, pieces) : writeSmall(path, pieces), users: 0 }
    if (known === undefined) held.set(first, shared)
    return shared
  }

  return {
    hold(pieces) {
      const [first] = pieces
      if (first === undefined) return { path: '/dev/null', written: undefined, release: () => {} }
      const shared = share(pieces, first)
      shared.users++
      let done = false
      return {
        path: shared.path,
        written: shared.written,
        release() {
          if (done) return
          done = true
          if (--shared.users > 0) return
          if (held.get(first) === shared) held.delete(first)
          remove(shared)
        },
      }
    },
  }
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((piece, index) => piece === others[index])
}

function writeSmall(path: string, pieces: readonly Uint8Array[]): undefined {
  const file = openSync(path, 'wx', 0o600)
  try {
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (writevSync(file, pieces) !== size) throw new Error('the file could not be written whole')
  } catch (error) {
    unlinkSync(path)
    throw error
  } finally {
    closeSync(file)
  }
}

async function writeLarge(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const piece of pieces) await file.writeFile(piece)
  } finally {
    await file.close()
  }
}

function remove({ path, written }: Shared): void {
  if (written === undefined) {
    try {
      unlinkSync(path)
    } catch {
      // Its folder is gone already.
    }
    return
  }
  const end = () => unlink(path).catch(() => {})
  written.then(end, end)
}
