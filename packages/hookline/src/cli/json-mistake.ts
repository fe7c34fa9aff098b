/** Finds the place where a text stops being JSON; loaded only when it does. */
import { type ParseError, type ParseErrorCode, parse, printParseErrorCode } from 'jsonc-parser'

/** What is wrong and where; lines and columns count from 1. */
export interface JsonMistake {
  readonly what: string
  readonly line: number
  readonly column: number
}

const words: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'a word that JSON does not know',
  InvalidNumberFormat: 'a number that is none',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'an object is not closed',
  CloseBracketExpected: 'a list is not closed',
  EndOfFileExpected: 'text after the end',
  InvalidCommentToken: 'a comment, which JSON does not have',
  UnexpectedEndOfComment: 'a comment, which JSON does not have',
  UnexpectedEndOfString: 'a text without its closing quote',
  UnexpectedEndOfNumber: 'a number that does not end',
  InvalidUnicode: 'a \\u escape that is none',
  InvalidEscapeCharacter: 'a backslash before a character that needs none',
  InvalidCharacter: 'a control character inside a text',
}

/** Where a text that `JSON.parse` refused goes wrong first. */
export function jsonMistake(text: string): JsonMistake {
  const errors: ParseError[] = []
  try {
    if (text.trim() !== '') parse(text, errors, { disallowComments: true })
  } catch {
    // The parser is recursive: nesting that exhausts the stack has no better place than the start.
    return { what: 'it is nested too deeply', line: 1, column: 1 }
  }
  const first = errors[0]
  if (first === undefined) return { what: text.trim() === '' ? 'there is nothing' : 'it cannot be read', line: 1, column: 1 }
  const before = text.slice(0, first.offset).split('\n')
  const code = printParseErrorCode(first.error as ParseErrorCode)
  return { what: words[code] ?? code, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
