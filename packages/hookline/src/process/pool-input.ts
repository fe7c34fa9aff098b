/** What hooks read, as private files: one for all runs that are given the same bytes at the same time. */
import { ftruncateSync, openSync, symlinkSync, writevSync } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { closeDescriptor } from './close-descriptor.ts'

/** One file while it is needed. */
export interface InputFile {
  /** Its name in the folder. */
  readonly name: string
  /** Settles when it is whole; rejects when it could not be written. */
  readonly written: Promise<void> | undefined
  /** This run has no more use for it. `sound` when nobody else can still read it. */
  release(sound: boolean): void
}

/** Writes inputs into one folder. */
export interface InputFiles {
  hold(pieces: readonly Uint8Array[]): InputFile
  close(): void
}

interface Shared {
  readonly pieces: readonly Uint8Array[]
  readonly slot: Slot
  readonly written: Promise<void> | undefined
  users: number
  isSound: boolean
}

/** A file that is written to again and again; or one for once, without a descriptor. */
interface Slot {
  readonly name: string
  readonly descriptor: number | undefined
}

// What is larger has a file of its own, written without keeping the event loop waiting for the copy.
const largestInSlot = 65_536
const mostKept = 16
// For runs that are given nothing to read.
const empty = 'i0'

/** Inputs in `folder`, which must exist and be empty. */
export function createInputFiles(folder: string): InputFiles {
  // Not an empty file: nothing that a hook writes to its input must be there for the next.
  symlinkSync('/dev/null', join(folder, empty))
  // By the first piece: the event, which is one object for all its hooks.
  const held = new Map<Uint8Array, Shared>()
  const free: Slot[] = []
  let made = 0
  let isClosed = false

  const nextName = () => `i${++made}`

  const fill = (pieces: readonly Uint8Array[], size: number): Slot => {
    let slot = free.pop()
    if (slot?.descriptor === undefined) {
      const name = nextName()
      slot = { name, descriptor: openSync(join(folder, name), 'wx', 0o600) }
    }
    try {
      if (writevSync(slot.descriptor as number, pieces, 0) !== size) throw new Error('the file could not be written whole')
      return slot
    } catch (error) {
      drop(slot)
      throw error
    }
  }

  const share = (pieces: readonly Uint8Array[], first: Uint8Array): Shared => {
    const known = held.get(first)
    if (known !== undefined && isSame(known.pieces, pieces)) return known
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const slot = size > largestInSlot ? { name: nextName(), descriptor: undefined } : fill(pieces, size)
    const written = slot.descriptor === undefined ? writeLarge(join(folder, slot.name), pieces) : undefined
    // Who holds the file asks how it went, if need be later.
    written?.catch(() => {})
    const shared = { pieces, slot, written, users: 0, isSound: true }
    if (known === undefined) held.set(first, shared)
    return shared
  }

  const drop = ({ name, descriptor }: Slot, written?: Promise<void>) => {
    if (descriptor !== undefined) closeDescriptor(descriptor)
    // Its folder may be gone already.
    const remove = () => unlink(join(folder, name)).catch(() => {})
    if (written === undefined) void remove()
    else written.then(remove, remove)
  }

  /** What was in the file is gone either way; a file that nobody else can read serves again. */
  const leave = ({ slot, written, isSound }: Shared) => {
    if (slot.descriptor === undefined || !isSound || isClosed || free.length >= mostKept) return drop(slot, written)
    try {
      ftruncateSync(slot.descriptor)
      free.push(slot)
    } catch {
      drop(slot)
    }
  }

  return {
    hold(pieces) {
      const [first] = pieces
      if (first === undefined) return { name: empty, written: undefined, release: () => {} }
      const shared = share(pieces, first)
      shared.users++
      let done = false
      return {
        name: shared.slot.name,
        written: shared.written,
        release(sound) {
          if (done) return
          done = true
          shared.isSound &&= sound
          if (--shared.users > 0) return
          if (held.get(first) === shared) held.delete(first)
          leave(shared)
        },
      }
    },
    close() {
      isClosed = true
      for (const slot of free.splice(0)) drop(slot)
    },
  }
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((piece, index) => piece === others[index])
}

async function writeLarge(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const piece of pieces) await file.writeFile(piece)
  } finally {
    await file.close()
  }
}
