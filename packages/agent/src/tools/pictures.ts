/** Pictures and PDFs as Read gives them: told by their first bytes, not by their name, and only as large as providers take them. */
import { extname } from 'node:path'
import type { Media } from '../model/port.ts'
import { ToolError, type ToolResult } from './tool.ts'

/** Files with these endings are shown, not read as text. */
const endings = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.pdf']

/** Providers take a picture of 5 MB in base64, and a request of 32 MB. */
const longest = { picture: 3.75 * 1024 * 1024, pdf: 10 * 1024 * 1024 }

export function isShown(path: string): boolean {
  return endings.includes(extname(path).toLowerCase())
}

/** The most bytes that a file with this name may have to be shown. */
export function mostBytes(path: string): number {
  return extname(path).toLowerCase() === '.pdf' ? longest.pdf : longest.picture
}

/** What the model sees, and what hooks see of it. @throws ToolError for a file that is not what its name says: providers would refuse the whole conversation. */
export function shownFile(path: string, bytes: Buffer): ToolResult {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === undefined)
    throw new ToolError(`${path} is named like a picture or a PDF and is none. Look at it with Bash, for example with \`file\` or \`head -c 200\`.`)
  const base64 = bytes.toString('base64')
  const media: Media[] = [{ mediaType, data: base64 }]
  if (mediaType === 'application/pdf')
    return {
      response: { type: 'pdf', file: { filePath: path, base64, originalSize: bytes.length } },
      text: `PDF file read: ${path} (${bytes.length} bytes)`,
      media,
    }
  return { response: { type: 'image', file: { base64, type: mediaType, originalSize: bytes.length } }, text: `[${mediaType}, ${bytes.length} bytes]`, media }
}

/** The media of a response of this shape; undefined for another one. */
export function mediaOf(response: unknown): Media[] | undefined {
  const { type, file } = (response ?? {}) as { type?: unknown; file?: { base64?: unknown } }
  if ((type !== 'image' && type !== 'pdf') || typeof file?.base64 !== 'string') return undefined
  const mediaType = mediaTypeOf(Buffer.from(file.base64, 'base64'))
  return mediaType === undefined ? undefined : [{ mediaType, data: file.base64 }]
}

function mediaTypeOf(bytes: Buffer): string | undefined {
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts('\xff\xd8\xff')) return 'image/jpeg'
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif'
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp'
  return starts('%PDF-') ? 'application/pdf' : undefined
}
