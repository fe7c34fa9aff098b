/** Keeps what a stream says, up to a cap. */

/** What is listened to: a readable stream, or what behaves like one. */
export interface Source {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'error', listener: () => void): unknown
  once(event: 'end' | 'close', listener: () => void): unknown
  pause(): unknown
}

export interface CaptureOptions {
  /** In bytes. */
  readonly cap: number
  /** Called with each piece that is kept. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined
  /** Called once, when the stream says more than the cap. Nothing is read after that. */
  readonly onOverflow: () => void
}

export interface Capture {
  /** Settles when nothing more will come. */
  readonly ended: Promise<void>
  readonly hasEnded: boolean
  readonly overflowed: boolean
  /** What was kept so far. */
  bytes(): Uint8Array
}

// Most processes say little or nothing.
const smallest = 1_024
const nothing: Buffer<ArrayBuffer> = Buffer.alloc(0)

/** Starts to read. An error of the stream is its end: the ending of the process says what happened. */
export function capture(stream: Source, { cap, onBytes, onOverflow }: CaptureOptions): Capture {
  // One growing buffer instead of a list of pieces: a process that writes byte by byte must not cost a hundred times its output.
  let kept = nothing
  let length = 0
  let overflowed = false
  let hasEnded = false
  let finish: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    finish = () => {
      hasEnded = true
      resolve()
    }
  })
  stream.once('end', finish)
  stream.once('close', finish)
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    if (overflowed) return
    const fits = chunk.subarray(0, cap - length)
    if (length + fits.length > kept.length) kept = grown(kept, Math.min(cap, Math.max(kept.length * 2, length + fits.length, smallest)))
    kept.set(fits, length)
    length += fits.length
    if (fits.length > 0) onBytes?.(fits)
    if (fits.length === chunk.length) return
    overflowed = true
    // Paused, not closed: a process that finds its output closed complains, and the complaint would look like its own.
    stream.pause()
    finish()
    onOverflow()
  })
  return {
    ended,
    get hasEnded() {
      return hasEnded
    },
    get overflowed() {
      return overflowed
    },
    bytes: () => kept.subarray(0, length),
  }
}

function grown(old: Buffer, size: number): Buffer<ArrayBuffer> {
  const bigger = Buffer.allocUnsafe(size)
  old.copy(bigger)
  return bigger
}
