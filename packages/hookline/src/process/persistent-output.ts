/** What a process that stays says to one event: a line on stdout, and what it writes to stderr meanwhile. */
import { decode } from './decode.ts'
import type { OutputStream } from './live.ts'
import { ownerOf, withoutId } from './persistent-ids.ts'

export interface OutputOptions {
  /** Of the request that is to be answered. */
  readonly id: string
  /** Lines without an id are no answers: the process has carried ids back before. */
  readonly idsOnly: boolean
  /** In bytes, of each stream. */
  readonly cap: number
  /** There is an answer. */
  readonly onLine: () => void
  /** A stream says more than the cap. Called once; nothing is kept after that. */
  readonly onOverflow: (stream: OutputStream) => void
}

/** The text of an answer, and whether the process can be asked again. */
export interface Said {
  readonly text: string
  readonly replaced: boolean
  /** Nobody can mistake what it says next for something else: it carries ids back, or said nothing but the one JSON object in one line. */
  readonly inStep: boolean
  /** The answer carried its id. */
  readonly byId: boolean
  /** Lines that answer nothing, whole ones only. */
  readonly dropped: readonly string[]
}

interface Line {
  readonly bytes: Uint8Array
  readonly mine: boolean
}

const lineEnd = 0x0a
const brace = 0x7b

/** Blank, tab and the line ends. Any other character that no screen shows is part of an answer, and a bad one. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

/** The output of one exchange. */
export class ExchangeOutput {
  readonly #options: OutputOptions
  readonly #length: Record<OutputStream, number> = { stdout: 0, stderr: 0 }
  readonly #stderr: Uint8Array[] = []
  readonly #lines: Line[] = []
  readonly #dropped: string[] = []
  /** The line that is not complete yet. */
  #rest: Uint8Array[] = []
  #overflowed: OutputStream | undefined
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
    this.#length[stream] += fits.length
    if (stream === 'stderr') this.#stderr.push(fits)
    else this.#hear(fits)
    if (fits.length === chunk.length) return
    this.#overflowed = stream
    this.#options.onOverflow(stream)
  }

  /** The bytes so far, without the lines that were dropped. */
  bytes(stream: OutputStream): Uint8Array {
    const parts = stream === 'stderr' ? this.#stderr : [...this.#lines.map((line) => line.bytes), ...this.#rest]
    const [only, ...more] = parts
    if (only === undefined) return new Uint8Array()
    return more.length === 0 ? only : Buffer.concat(parts)
  }

  /** What was answered. `cut`: reading was ended in the middle. */
  said({ cut }: { cut: boolean }): Said {
    // A line that was begun and will not end any more: it still says whose it is.
    const last = this.#answered ? '' : textOf(this.rest)
    const owner = last === '' ? undefined : ownerOf(last.trimStart(), this.#options.id)
    if (owner === 'foreign' || (owner === 'plain' && this.#options.idsOnly)) {
      this.#dropped.push(last)
      this.#rest = []
    }
    const mine = this.#lines.find((line) => line.mine)
    if (mine !== undefined) {
      const { text, replaced } = decode(mine.bytes, { cut: false })
      const others = this.#lines.flatMap((line) => (line === mine ? [] : [textOf(line.bytes)]))
      return { text: withoutId(text, this.#options.id), replaced, inStep: true, byId: true, dropped: [...this.#dropped, ...others] }
    }
    const bytes = this.bytes('stdout')
    const { text, replaced } = decode(bytes, { cut })
    const start = bytes.findIndex((byte) => !isBlank(byte))
    const end = start === -1 ? -1 : bytes.indexOf(lineEnd, start)
    const alone = end !== -1 && bytes[start] === brace && bytes.subarray(end).every(isBlank)
    return { text: withoutId(text, this.#options.id), replaced, inStep: alone && !replaced && this.#dropped.length === 0, byId: false, dropped: this.#dropped }
  }

  stderr({ cut }: { cut: boolean }): string {
    return decode(this.bytes('stderr'), { cut }).text
  }

  /** What was begun and not ended: it belongs to no answer yet. */
  get rest(): Uint8Array {
    return Buffer.concat(this.#rest)
  }

  #hear(chunk: Uint8Array): void {
    let from = 0
    for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, from)) {
      this.#rest.push(chunk.subarray(from, end + 1))
      from = end + 1
      const bytes = this.#rest.length === 1 ? (this.#rest[0] as Uint8Array) : Buffer.concat(this.#rest)
      this.#rest = []
      this.#judge(bytes)
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from))
  }

  /** A blank line answers nothing: it is more likely a stray line end than an opinion. */
  #judge(bytes: Uint8Array): void {
    const { id, idsOnly, onLine } = this.#options
    if (bytes.every(isBlank)) {
      if (!idsOnly) this.#lines.push({ bytes, mine: false })
      return
    }
    const text = textOf(bytes)
    const owner = ownerOf(text.trimStart(), id)
    if (owner === 'foreign' || (owner === 'plain' && idsOnly)) {
      this.#dropped.push(text)
      return
    }
    this.#lines.push({ bytes, mine: owner === 'mine' })
    if (this.#answered) return
    this.#answered = true
    onLine()
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
}
