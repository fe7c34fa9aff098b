/** Text for a terminal: nothing that a model, a tool or a hook writes can move the cursor, colour what follows, or hide a word. */

// C0 but tab and newline, C1, bidirectional marks, zero width, the byte order mark, tags and other characters without a look, halves of pairs.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f|[\u17b4\u17b5]|\p{Surrogate}/gu

/** `text` with control characters made visible as `\u001b`. */
export function safe(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(hidden, escaped)
}

/** JSON that steers no terminal either: what JSON leaves as it is, but terminals obey or hide, is escaped. */
export function safeJson(json: string): string {
  return json.replaceAll(hidden, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

/** The same for text that comes in pieces: a line break may be cut in two. */
export function safePieces(): (piece: string) => string {
  let held = ''
  return (piece) => {
    const text = held + piece
    held = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return safe(text.slice(0, text.length - held.length))
  }
}

export type Paint = (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

/** Colours, unless the words of the command say no, NO_COLOR is set or the terminal has none. */
export function paintFor(env: Readonly<Record<string, string | undefined>>, colours = true): Paint {
  if (!colours || (env['NO_COLOR'] ?? '') !== '' || isDumb(env)) return (_, text) => text
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`
}

/** A terminal that cannot move its cursor. */
export function isDumb(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['TERM'] === 'dumb'
}

const noCell = /\p{M}|\ufe0f/u
const twoCells =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

function cellsOf(character: string): number {
  return noCell.test(character) ? 0 : twoCells.test(character) ? 2 : 1
}

/** One line of at most `width` cells. */
export function oneLine(text: string, width: number): string {
  const line = safe(text).replaceAll(/\s+/g, ' ').trim()
  if (line.length * 2 <= width) return line
  let cells = 0
  let kept = ''
  let whole = true
  // One cell is kept for the mark that says that something is missing.
  let fitting = ''
  for (const character of line) {
    cells += cellsOf(character)
    if (cells > width) {
      whole = false
      break
    }
    kept += character
    if (cells <= width - 1) fitting = kept
  }
  return whole ? line : width <= 0 ? '' : `${fitting}…`
}
