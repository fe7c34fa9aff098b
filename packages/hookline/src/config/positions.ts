/** From offsets in a text to lines and columns, counted from 1 as editors do. */

/** Where something stands. Columns count UTF-16 units, as most editors and compilers do. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Finds positions; `undefined` for values from code, whose offset is negative. `within`: that character of the text that is written there. */
export type Locate = (offset: number, within?: number) => Position | undefined

/** For values from code: there are no places. */
export const nowhere: Locate = () => undefined

/** Prepares a text for look-ups. Lines end with LF, CRLF or CR. */
export function locator(text: string): Locate {
  let starts: number[] | undefined
  return (begin, within) => {
    if (begin < 0) return undefined
    const offset = within === undefined ? begin : written(text, begin, within)
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 }
  }
}

/** Where a character of a text stands that begins at `begin`: behind the quote, every escape being one character. */
function written(text: string, begin: number, within: number): number {
  const quote = text[begin]
  const spelled = quote === '"' ? /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])/y : quote === "'" ? /''/y : undefined
  let at = spelled === undefined ? begin : begin + 1
  for (let left = within; left > 0; left--) {
    if (spelled !== undefined) spelled.lastIndex = at
    const next = spelled?.test(text) === true ? spelled.lastIndex : at + 1
    // A text over several lines is put together otherwise: its beginning has to do.
    if (next > text.length || /[\r\n]/.test(text.slice(at, next))) return begin
    at = next
  }
  return at
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length)
  return starts
}
