/** Writes a record as one line of JSON that nothing inside it can break, hide or turn around. */

// C1, soft hyphen, zero width, line and paragraph separators, bidirectional controls, invisible operators, the byte order mark, interlinear marks, tags.
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu

const beyondAscii = /[^ -~]/

/** JSON in the order of the keys as they stand; characters that could end a line or fool a reader are escaped. With `indent` it is many lines, for people. */
export function encodeLine(record: object, { indent = 0 }: { indent?: number } = {}): string {
  const json = JSON.stringify(record, null, indent)
  return beyondAscii.test(json) ? json.replace(unsafe, escapeUnits) : json
}

function escapeUnits(text: string): string {
  let escaped = ''
  for (let unit = 0; unit < text.length; unit++) escaped += `\\u${text.charCodeAt(unit).toString(16).padStart(4, '0')}`
  return escaped
}

/** How many bytes a text has in UTF-8, without making them. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let unit = 0; unit < text.length; unit++) {
    const code = text.charCodeAt(unit)
    if (code < 0x80) continue
    bytes += 1
    // A pair is two units and four bytes; a half on its own is written as U+FFFD, three bytes.
    if (code < 0x800) continue
    if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(unit + 1))) unit += 1
    bytes += 1
  }
  return bytes
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
