/** What the keyboard sends on its way to the prompt line: pasted text stays one text, and keys for a new line do not send it. */
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Io } from '../io.ts'

/** Stands for a line break on the prompt line, which has only one line. */
export const lineBreak = '␤'

const pasteBegins = '\u001b[200~'
const pasteEnds = '\u001b[201~'
/** Asks the terminal to mark what is pasted, and no longer. */
export const markPastes = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const
// Alt-Enter, as terminals send it, and what those with keyboard protocols send for Shift-Enter. Not Ctrl-J: what is typed
// before the terminal is ours arrives with that for every Enter.
const newLineKeys = /\u001b[\r\n]|\u001b\[13;2u|\u001b\[27;2;13~/g

/** The keyboard for a prompt line; `raw` is told when single keys are wanted. */
export function createKeys(stdin: Io['stdin']): Transform & { setRawMode(raw: boolean): void } {
  const decoder = new StringDecoder('utf8')
  let pasting = false
  let held = ''
  const keys = new Transform({
    transform(chunk: Buffer, _, done) {
      let text = held + decoder.write(chunk)
      held = ''
      let out = ''
      while (text !== '') {
        const mark = pasting ? pasteEnds : pasteBegins
        const at = text.indexOf(mark)
        // A mark may come in two pieces; a lone Escape is a key.
        const end = at === -1 ? beginningOf(mark, text) : at
        out += pasting ? asOneLine(text.slice(0, end)) : text.slice(0, end).replaceAll(newLineKeys, lineBreak)
        if (at !== -1) pasting = !pasting
        else held = text.slice(end)
        text = at === -1 ? '' : text.slice(at + mark.length)
      }
      done(null, out)
    },
  })
  stdin.pipe(keys)
  return Object.assign(keys, {
    isTTY: true,
    setRawMode(raw: boolean) {
      const { setRawMode } = stdin as { setRawMode?: (raw: boolean) => void }
      setRawMode?.call(stdin, raw)
    },
  })
}

/** A pasted tab would complete, a pasted Ctrl-C interrupt: text is all that is taken. */
function asOneLine(text: string): string {
  return text
    .replaceAll(/\r\n?|\n/g, lineBreak)
    .replaceAll('\t', '    ')
    .replaceAll(/[\u0000-\u001f\u007f]/g, '')
}

/** Where the beginning of a mark stands at the end of a text; its length when none does. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) if (mark.startsWith(text.slice(-length))) return text.length - length
  return text.length
}
