/** What a process that stays says to one event: a line on stdout, and what it writes to stderr meanwhile. */
import { decode } from './decode.ts'
import type { OutputStream } from './live.ts'

export interface OutputOptions {
  /** In bytes, of each stream. */
  readonly cap: number
  /** The first line that is not blank is complete. */
  readonly onLine: () => void
  /** A stream says more than the cap. Called once; nothing is kept after that. */
  readonly onOverflow: (stream: OutputStream) => void
}

/** The text of an answer, and whether it is the one JSON object in one line that the exchange is made of. */
export interface Said {
  readonly text: string
  readonly replaced: boolean
  readonly inStep: boolean
}

const lineEnd = 0x0a
const brace = 0x7b

/** The output of one exchange. */
export class ExchangeOutput {
  readonly #options: OutputOptions
  readonly #kept: Record<OutputStream, Uint8Array[]> = { stdout: [], stderr: [] }
  readonly #length: Record<OutputStream, number> = { stdout: 0, stderr: 0 }
  #overflowed: OutputStream | undefined
  #begun = false
  #answered = false

  constructor(options: OutputOptions) {
    this.#options = options
  }

  get overflowed(): OutputStream | undefined {
    return this.#overflowed
  }

  /** Takes new bytes. */
  add(stream: OutputStream, chunk: Uint8Array): void {
    if (this.#overflowed !== undefined) return
    const fits = chunk.subarray(0, this.#options.cap - this.#length[stream])
    this.#kept[stream].push(fits)
    this.#length[stream] += fits.length
    if (fits.length < chunk.length) {
      this.#overflowed = stream
      this.#options.onOverflow(stream)
    } else if (stream === 'stdout' && !this.#answered) this.#look(fits)
  }

  /** The bytes so far. */
  bytes(stream: OutputStream): Uint8Array {
    const [only, ...more] = this.#kept[stream]
    if (only === undefined) return new Uint8Array()
    return more.length === 0 ? only : Buffer.concat(this.#kept[stream])
  }

  /** What was answered. `cut`: reading was ended in the middle. */
  said({ cut }: { cut: boolean }): Said {
    const bytes = this.bytes('stdout')
    const { text, replaced } = decode(bytes, { cut })
    const start = bytes.findIndex((byte) => byte > 0x20)
    const end = start === -1 ? -1 : bytes.indexOf(lineEnd, start)
    const alone = end !== -1 && bytes[start] === brace && bytes.subarray(end).every((byte) => byte <= 0x20)
    return { text, replaced, inStep: alone && !replaced }
  }

  stderr({ cut }: { cut: boolean }): string {
    return decode(this.bytes('stderr'), { cut }).text
  }

  /** A blank line answers nothing: it is more likely a stray line end than an opinion. */
  #look(chunk: Uint8Array): void {
    let from = 0
    if (!this.#begun) {
      from = chunk.findIndex((byte) => byte > 0x20)
      if (from === -1) return
      this.#begun = true
    }
    if (chunk.indexOf(lineEnd, from) === -1) return
    this.#answered = true
    this.#options.onLine()
  }
}
