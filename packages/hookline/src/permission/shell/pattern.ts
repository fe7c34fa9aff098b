/** Shell patterns of rules: `git push *`, `git push:*`, `npm run build`; compiled once, compared with a command line. */
import { matchesStars } from '../stars.ts'
import { UNKNOWN } from './word.ts'

const STAR = '\u{E002}'

/** A compiled shell pattern. */
export interface ShellPattern {
  readonly text: string
  /** No star at all: the text, and nothing else. */
  readonly exact: boolean
  /** Ended in ` *` or `:*`: what stands before it, alone or followed by a blank and anything. */
  readonly boundary: boolean
  /** The whole words before the first star, as the pattern pins them. */
  readonly pinned: readonly string[]
  /** Every word is pinned: nothing but a trailing ` *` or `:*` is open. */
  readonly wholeWords: boolean
  /** Names a command and says nothing about its arguments (protocol §4.3). */
  readonly commandOnly: boolean
  /** Has quotes, backslashes or `$`, so its author thought of the command as written. */
  readonly asWritten: boolean
  /** The forms a line may have, with `STAR` for anything. */
  readonly forms: readonly string[]
}

/** Compiles the text between the brackets of a shell rule. */
export function compilePattern(specifier: string): ShellPattern {
  const text = specifier.trim().replace(/\s+/g, ' ')
  const boundary = /(?:\S:\*| \*)$/.test(text) && !text.endsWith('\\*')
  const body = boundary ? text.slice(0, -2) : text
  const tokens = body.replace(/\\\*|\*+/g, (star) => (star === '\\*' ? '*' : STAR))
  const open = tokens.indexOf(STAR)
  const head = open < 0 ? tokens : tokens.slice(0, tokens.lastIndexOf(' ', open) + 1)
  return {
    text,
    exact: !boundary && open < 0,
    boundary,
    pinned: head.split(' ').filter((word) => word !== ''),
    wholeWords: boundary && open < 0,
    commandOnly: !body.replace(/\*+$/, '').trim().includes(' ') && body !== '*',
    asWritten: /["'\\$`]/.test(text),
    forms: boundary ? [tokens, `${tokens} ${STAR}`] : [tokens],
  }
}

/** The line is covered whatever its unknown stretches turn out to be. */
export function surelyMatches(pattern: ShellPattern, line: string): boolean {
  return pattern.forms.some((form) => matchesStars(form, line, STAR))
}

/** The line is covered for at least one value of its unknown stretches. */
export function couldMatch(pattern: ShellPattern, line: string): boolean {
  if (!line.includes(UNKNOWN)) return surelyMatches(pattern, line)
  return pattern.forms.some(
    (form) => (line.startsWith(UNKNOWN) && form.endsWith(STAR)) || (couldBegin(form, line) && couldFit(form, line) && globsMeet(form, line)),
  )
}

/** Up to the first open stretch of either they are the same. */
function couldBegin(form: string, line: string): boolean {
  const [open, unknown] = [form.indexOf(STAR), line.indexOf(UNKNOWN)]
  const known = Math.min(open < 0 ? form.length : open, unknown < 0 ? line.length : unknown)
  return line.startsWith(form.slice(0, known))
}

/** What has no open stretch is as long as it is. */
function couldFit(form: string, line: string): boolean {
  return form.includes(STAR) || line.length - line.split(UNKNOWN).length < form.length
}

/** Whether two texts with open stretches have a value in common; a table over both, built from the end. */
function globsMeet(form: string, line: string): boolean {
  let below = new Uint8Array(line.length + 1)
  let row = new Uint8Array(line.length + 1)
  for (let f = form.length; f >= 0; f--) {
    for (let l = line.length; l >= 0; l--) {
      if (f === form.length && l === line.length) row[l] = 1
      else if (f < form.length && form[f] === STAR) row[l] = below[l] || (l < line.length ? (row[l + 1] ?? 0) : 0)
      else if (l < line.length && line[l] === UNKNOWN) row[l] = (row[l + 1] ?? 0) || (f < form.length ? (below[l] ?? 0) : 0)
      else row[l] = f < form.length && l < line.length && form[f] === line[l] ? (below[l + 1] ?? 0) : 0
    }
    const spare = below
    below = row
    row = spare
  }
  return below[0] === 1
}
