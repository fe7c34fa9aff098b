/** From offsets in a text to lines and columns, counted from 1 as editors do. */

/** Where something stands. Columns count UTF-16 units, as most editors and compilers do. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Finds positions; `undefined` for values from code, whose offset is negative. */
export type Locate = (offset: number) => Position | undefined

/** For values from code: there are no places. */
export const nowhere: Locate = () => undefined

/** Prepares a text for look-ups. Lines end with LF, CRLF or CR. */
export function locator(text: string): Locate {
  let starts: number[] | undefined
  return (offset) => {
    if (offset < 0) return undefined
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

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length)
  return starts
}
