/** The reading end of a named pipe that one run after another writes to. */
import { EventEmitter } from 'node:events'
import { constants, openSync, readSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Source } from './capture.ts'
import { closeDescriptor } from './close-descriptor.ts'

// One for all: what is read is handed on as a copy, at once.
const buffer = Buffer.allocUnsafe(65_536)

/** A pipe, listened to in one of two ways: read when a run has ended, which costs least, or watched while it goes on. */
export class Tap extends EventEmitter implements Source {
  readonly #path: string
  #descriptor: number | undefined
  #watched: Socket | undefined
  #paused = false
  #ended = true

  /** Opens the pipe, which must exist. Throws when it cannot. */
  constructor(path: string) {
    super()
    this.#path = path
    this.#descriptor = openReader(path)
  }

  /** True when all who could write have left, and before anybody came. */
  get isEnded(): boolean {
    return this.#ended
  }

  get isWatched(): boolean {
    return this.#watched !== undefined
  }

  /** Makes ready for the next run. Throws when the pipe is gone. */
  renew(): void {
    this.removeAllListeners()
    this.#paused = false
    this.#ended = false
    this.#watched = undefined
    this.#descriptor ??= openReader(this.#path)
  }

  /** The first bytes that are there, without waiting. `undefined` when there are none yet. */
  peek(): Buffer | undefined {
    const length = this.#descriptor === undefined ? 0 : read(this.#descriptor)
    return length > 0 ? Buffer.from(buffer.subarray(0, length)) : undefined
  }

  /** Hands on bytes that were read before. */
  say(bytes: Buffer): void {
    if (bytes.length > 0) this.emit('data', bytes)
  }

  /** Reads what is there, without waiting, and tells how many bytes that was. Only somebody who began to write can be seen to end. */
  readAll(): number {
    let sum = 0
    while (this.#descriptor !== undefined && !this.#ended && !this.#paused) {
      const length = read(this.#descriptor)
      if (length < 0) break
      if (length === 0) this.#end()
      else this.say(Buffer.from(buffer.subarray(0, length)))
      sum += length
    }
    return sum
  }

  /** Listens from now on, until all who could write have left. */
  watch(): void {
    if (this.#descriptor === undefined || this.#ended) return
    const socket = new Socket({ fd: this.#descriptor, readable: true, writable: false })
    this.#descriptor = undefined
    this.#watched = socket
    socket.on('data', (chunk: Buffer) => this.emit('data', chunk))
    socket.once('end', () => this.#end())
    socket.on('error', () => {})
    if (this.#paused) socket.pause()
  }

  pause(): void {
    this.#paused = true
    this.#watched?.pause()
  }

  /** Nobody listens any more. A pipe that was seen to end stays open for the next run. */
  letGo(): void {
    this.removeAllListeners()
    this.#watched?.destroy()
    if (!this.#ended) this.close()
  }

  close(): void {
    this.#watched?.destroy()
    if (this.#descriptor !== undefined) closeDescriptor(this.#descriptor)
    this.#descriptor = undefined
  }

  #end(): void {
    this.#ended = true
    this.emit('end')
  }
}

function openReader(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
}

/** How many bytes came; 0 when nobody can write any more, -1 when somebody could. */
function read(descriptor: number): number {
  try {
    return readSync(descriptor, buffer)
  } catch (error) {
    // As with every other stream, an error is its end: how the process ends says what happened.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? -1 : 0
  }
}
