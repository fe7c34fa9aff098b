/** One word of a command: what is known of it after quoting, and what only the running shell knows. */
import type { Word, WordPart } from 'unbash'
import { expandBraces } from './braces.ts'

/** Stands in a word's text for a stretch that only the running shell knows. */
export const UNKNOWN = '\u{E001}'
/** Stands in a word's text for a blank that belongs to the word, so that it is never taken for one between words. */
export const INNER_BLANK = '\u{E000}'

/** A word of a command. */
export interface ShellWord {
  /** Quoting removed; `UNKNOWN` for what cannot be known. */
  readonly text: string
  /** As written, quotes and all. */
  readonly raw: string
  /** Everything about it is known. */
  readonly literal: boolean
  /** Written without quotes, backslashes or expansions. */
  readonly plain: boolean
  /** All that is unknown is what file names a pattern such as `*.ts` finds. */
  readonly glob: boolean
}

/** A word that was not written as one, such as an argument that a wrapper passes on. */
export function plainWord(text: string): ShellWord {
  return { text, raw: text, literal: !text.includes(UNKNOWN), plain: true, glob: false }
}

/** Any number of words that come from elsewhere: standard input, file names. */
export const unknownWords: ShellWord = { text: UNKNOWN, raw: UNKNOWN, literal: false, plain: false, glob: false }

/** Reads one word; a brace expansion gives several, or none. */
export function readWords(word: Word): ShellWord[] {
  const raw = word.text
  const parts = word.parts
  if (parts === undefined) return [{ text: word.value, raw, literal: true, plain: raw === word.value, glob: false }]
  const pieces = parts.map(piece)
  if (parts.some((p) => p.type === 'BraceExpansion')) {
    const known = pieces.flatMap((p): ({ text: string } | { braces: string })[] =>
      p.kind === 'braces' ? [{ braces: p.text }] : p.kind === 'text' ? [{ text: p.text }] : [],
    )
    const expanded = known.length === pieces.length ? expandBraces(known) : undefined
    if (expanded === undefined || expanded.some((text) => text.includes(UNKNOWN))) return [{ text: UNKNOWN, raw, literal: false, plain: false, glob: false }]
    return expanded.filter((text) => text !== '').map((text) => ({ text, raw, literal: true, plain: false, glob: false }))
  }
  const text = pieces.map((p) => (p.kind === 'text' ? p.text : UNKNOWN)).join('')
  const literal = !text.includes(UNKNOWN)
  const glob = !literal && pieces.every((p) => p.kind === 'glob' || (p.kind === 'text' && !p.text.includes(UNKNOWN)))
  return [{ text, raw, literal, plain: literal && raw === text, glob }]
}

type Piece = { kind: 'text' | 'braces'; text: string } | { kind: 'unknown' | 'glob' }

function piece(part: WordPart): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { kind: 'text', text: part.value }
    case 'DoubleQuoted':
    case 'LocaleString': {
      // `UNKNOWN` inside quotes stays inside one piece: it is no file name pattern.
      const inner = part.parts.map(piece)
      return { kind: 'text', text: inner.map((p) => (p.kind === 'text' ? p.text : UNKNOWN)).join('') }
    }
    // An extended pattern is not taken for one: zsh reads `*(e:command:)` as code.
    case 'Glob':
      return { kind: 'glob' }
    case 'BraceExpansion':
      return { kind: 'braces', text: part.text }
    default:
      return { kind: 'unknown' }
  }
}

/** The words as one line, with one blank between them. */
export function lineOf(words: readonly ShellWord[]): string {
  const line = words.map(({ text }) => (blank.test(text) ? text.replace(/\s/g, INNER_BLANK) : text)).join(' ')
  return line.includes(UNKNOWN + UNKNOWN) ? line.replace(/\u{E001}+/gu, UNKNOWN) : line
}

const blank = /\s/
