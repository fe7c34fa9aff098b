/** What a command wrote, as far as somebody will read it: kept up to a limit, tidied, and cut in the middle for the model. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const keptBytes = 8 * 1024 * 1024

/** Collects bytes; past the limit it keeps the beginning and counts the rest. */
export class Collector {
  readonly #chunks: Buffer[] = []
  #size = 0
  dropped = 0

  add(chunk: Buffer): void {
    const room = keptBytes - this.#size
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#size += Math.min(chunk.length, Math.max(0, room))
    this.dropped += Math.max(0, chunk.length - Math.max(0, room))
  }

  /** Without blank lines in front and space behind; what is not UTF-8 becomes U+FFFD. */
  text(): string {
    return Buffer.concat(this.#chunks)
      .toString('utf8')
      .replace(/^(\s*\n)+/, '')
      .trimEnd()
  }

  lastLine(): string {
    const tail = this.#chunks.at(-1)?.toString('utf8').trimEnd() ?? ''
    return tail.slice(tail.lastIndexOf('\n') + 1).slice(0, 200)
  }
}

/** How many characters of one output the model reads: 30,000, or BASH_MAX_OUTPUT_LENGTH up to 150,000. */
export function outputLimit(env: Record<string, string | undefined>): number {
  const asked = Number(env['BASH_MAX_OUTPUT_LENGTH'])
  return asked > 0 ? Math.min(asked, 150_000) : 30_000
}

/** The beginning and the end of a text that is too long, and where the whole of it lies. */
export async function shortened(
  text: string,
  { limit, folder, name }: { limit: number; folder: () => Promise<string>; name: string },
): Promise<{ text: string; file?: string }> {
  if (text.length <= limit) return { text }
  const file = join(await folder(), `${name}.txt`)
  await writeFile(file, text, { mode: 0o600 })
  const half = Math.floor(limit / 2)
  const left = text.length - 2 * half
  return { text: `${text.slice(0, half)}\n\n... [${left} characters left out; the whole output is in ${file}] ...\n\n${text.slice(-half)}`, file }
}
