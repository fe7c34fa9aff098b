/** Collects a reply's body: counted as it comes, decoded at the end, and cut off at its cap however small it looked on the wire. */
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** The most that is read of a body, in bytes after decoding. */
export const bodyLimit = 1_048_576
/** What coding may add to a body that it cannot make smaller. */
const codingRoom = 65_536

/** What a body was. */
export type BodyRead =
  | { readonly kind: 'text'; readonly text: string; readonly notUtf8: boolean }
  | { readonly kind: 'overflowed' }
  | { readonly kind: 'broken'; readonly why: string }

const decoders = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
])

/** One body, chunk by chunk. */
export class Body {
  readonly #encoding: string
  readonly #limit: number
  readonly #chunks: Buffer[] = []
  #size = 0

  /** `encoding` is the reply's content-encoding. */
  constructor(encoding: string) {
    this.#encoding = encoding.trim().toLowerCase()
    this.#limit = this.#isPlain ? bodyLimit : bodyLimit + codingRoom
  }

  /** Why it cannot be read at all. */
  get fault(): string | undefined {
    if (this.#isPlain || decoders.has(this.#encoding)) return undefined
    return `the content-encoding ${JSON.stringify(this.#encoding.slice(0, 40))} is not supported`
  }

  get #isPlain(): boolean {
    return this.#encoding === '' || this.#encoding === 'identity'
  }

  /** Takes a chunk. False: the body is too long, and nothing more of it is wanted. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > this.#limit) return false
    this.#chunks.push(chunk)
    return true
  }

  /** Hands what was read to `done`, at once where nothing has to be decoded. */
  read(done: (read: BodyRead) => void): void {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks)
    const decode = decoders.get(this.#encoding)
    if (decode === undefined) return done(textOf(bytes))
    decode(bytes, { maxOutputLength: bodyLimit }, (error, decoded) => {
      if (error === null) return done(textOf(decoded))
      done((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'overflowed' } : { kind: 'broken', why: error.message })
    })
  }
}

function textOf(bytes: Buffer): BodyRead {
  const text = bytes.toString('utf8')
  return { kind: 'text', text, notUtf8: text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) }
}
