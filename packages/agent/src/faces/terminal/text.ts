/** Text for a terminal: nothing that a model, a tool or a hook writes can move the cursor, colour what follows, or hide a word. */

// C0 but tab and newline, C1, bidirectional marks, zero width, the byte order mark.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** `text` with control characters made visible as `\u001b`. */
export function safe(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

/** Colours, unless NO_COLOR is set or the terminal has none. */
export function paintFor(env: Readonly<Record<string, string | undefined>>): Paint {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return (_, text) => text
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = safe(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`
}
