/** Reads a reply's body: decoded, counted, and cut off at its cap however small it looked on the wire. */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The most that is read of a body, in bytes after decoding. */
export const bodyLimit = 1_048_576

/** What a body was. */
export type BodyRead =
  | { readonly kind: 'text'; readonly text: string; readonly notUtf8: boolean }
  | { readonly kind: 'overflowed' }
  | { readonly kind: 'broken'; readonly why: string }

/** Reads the whole body; `encoding` is the reply's content-encoding. Never throws. */
export async function readBody(body: Readable, encoding: string): Promise<BodyRead> {
  const decoded = decode(body, encoding.trim().toLowerCase())
  if (decoded === undefined) {
    body.destroy()
    return { kind: 'broken', why: `the content-encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported` }
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bodyLimit) {
        body.destroy()
        return { kind: 'overflowed' }
      }
      chunks.push(chunk)
    }
  } catch (error) {
    return { kind: 'broken', why: error instanceof Error ? error.message : String(error) }
  }
  const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  return { kind: 'text', text, notUtf8: text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) }
}

function decode(body: Readable, encoding: string): Readable | undefined {
  if (encoding === '' || encoding === 'identity') return body
  const through =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined
  // The pipeline passes an error of either side on to the reader below; its own callback has nothing to add.
  return through === undefined ? undefined : pipeline(body, through, () => {})
}
