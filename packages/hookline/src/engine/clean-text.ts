/** Makes text safe to show: terminal sequences, control characters and bidirectional overrides are taken out. */
import { maskSecrets } from '../protocol/mask-secrets.ts'

/** The longest reason or message that is kept, in UTF-16 units (design decision 18). */
export const textLimit = 10_000

// Each class leaves out everything that may start a sequence, so that hostile input cannot make a scan start over and over.
const strings = /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)/g
const control = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g
const escapes = /\u001b[ -/]*[0-~]/g
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const invisibles = new RegExp(invisible.source, 'g')
const surrogate = /[\ud800-\udfff]/
const loneSurrogates = /\p{Surrogate}/gu

/** The text without what could move a cursor, change a clipboard, hide words or turn their order; newlines and tabs stay. */
export function cleanText(text: string): string {
  const shown = invisible.test(text)
    ? text.replace(strings, '').replace(control, '').replace(escapes, '').replace(/\r\n?/g, '\n').replace(invisibles, '')
    : text
  return surrogate.test(shown) ? shown.replace(loneSurrogates, '\ufffd') : shown
}

const asciiRoom = 16_384
let room: Uint8Array | undefined
const encoder = new TextEncoder()

/** Whether no string in this JSON text needs cleaning: it is ASCII, and a control character would need an escape. Cheap, and so a long text counts as not plain. */
export function isPlainJson(text: string): boolean {
  return text.length <= asciiRoom && !text.includes('\\') && isPlainAscii(text)
}

// Where there is one, it counts without writing anything down.
const countBytes = (globalThis as { readonly Buffer?: { readonly byteLength?: (text: string) => number } }).Buffer?.byteLength

/** Whether the text is ASCII without DEL. Cheap, and so a long text counts as something else. */
export function isPlainAscii(text: string): boolean {
  if (text.length > asciiRoom || text.includes('\u007f')) return false
  // Everything but ASCII takes more than one byte.
  if (countBytes !== undefined) return countBytes(text) === text.length
  room ??= new Uint8Array(asciiRoom)
  const { read, written } = encoder.encodeInto(text, room)
  return read === text.length && written === text.length
}

/** The text cut to `limit` UTF-16 units, never inside a surrogate pair; a cut shows as an ellipsis. */
export function capText(text: string, limit: number = textLimit): string {
  if (text.length <= limit) return text
  const head = text.slice(0, limit - 1)
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`
}

/** The first line that says something, short enough for a notice, secrets masked; `''` when there is none. */
export function firstLine(text: string): string {
  if (text === '') return ''
  const head = cleanText(text.slice(0, 4_096))
  const line = head.split('\n').find((one) => one.trim() !== '') ?? ''
  return capText(maskSecrets(line.trim()), 300)
}

/** One line for a notice: blanks run together, secrets masked, at most `limit` units. */
export function oneLine(text: string, limit = 80): string {
  return capText(maskSecrets(cleanText(text.slice(0, 4_096)).replace(/\s+/g, ' ').trim()), limit)
}
