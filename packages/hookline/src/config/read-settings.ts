/** Reads the text of a settings file into a tree with places, and says what is wrong or not portable about the text itself. */
import { createScanner, type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser'
import { Findings, quoted } from './findings.ts'
import { locator } from './positions.ts'
import { type Entry, maxDepth, type ObjectTree, type Tree } from './tree.ts'

/** What came of reading. No tree: the file is broken, and the findings say why. */
export interface ReadSettings {
  readonly tree?: ObjectTree
  readonly findings: Findings
}

/** Largest text that is read, in bytes of UTF-8. */
export const maxBytes = 10_000_000

/** Token kinds of the scanner; its own names for them are erased from the published code. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  end: 17,
} as const

/** Reads one file. A byte-order mark, CRLF line ends, comments and trailing commas are accepted; the last two are reported. Never throws. */
export function readSettings(text: string, file?: string): ReadSettings {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const findings = new Findings(file, locator(body))
  if (body.length > maxBytes || (body.length > maxBytes / 3 && new TextEncoder().encode(body).length > maxBytes)) {
    findings.add('too-large', 'the file is over 10 MB and is not read', { hint: 'Move data into files of its own.' })
    return { findings }
  }
  const tree = parse(body, findings)
  if (tree === undefined) return { findings }
  if (tree.kind !== 'object') {
    findings.add('not-an-object', `expected an object, got ${tree.kind}`, { at: tree.at, hint: 'Settings are one JSON object, for example { "hooks": {} }.' })
    return { findings }
  }
  return { tree, findings }
}

function parse(body: string, findings: Findings): Tree | undefined {
  if (body.trim() === '') {
    findings.add('invalid-json', 'the file is empty', { at: 0, hint: 'Write {} for no settings.' })
    return undefined
  }
  if (!survey(body, findings)) return undefined
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true })
  const first = errors[0]
  if (first !== undefined || root === undefined) {
    const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
    findings.add('invalid-json', `not valid JSON: ${first === undefined ? 'there is no value' : errorWords(first, body)}${more}`, {
      at: first?.offset ?? 0,
      hint: 'Nothing of this file counts until it is put right.',
    })
    return undefined
  }
  return fromNode(root, findings)
}

/** Looks over the tokens first: the parser is recursive, so depth is judged before it runs. False: do not parse. */
function survey(body: string, findings: Findings): boolean {
  const scanner = createScanner(body, false)
  let depth = 0
  let comments = 0
  let comma = -1
  for (let kind = scanner.scan() as number; kind !== token.end; kind = scanner.scan()) {
    const at = scanner.getTokenOffset()
    if (kind === token.lineComment || kind === token.blockComment) {
      if (comments++ === 0)
        findings.add('comment', 'comments are not portable: other agents read settings as strict JSON', { at, hint: 'Use a "_comment" key instead.' })
      continue
    }
    if (kind === token.blank || kind === token.lineBreak) continue
    const opens = kind === token.openBrace || kind === token.openBracket
    const closes = kind === token.closeBrace || kind === token.closeBracket
    if (opens && ++depth > maxDepth) {
      findings.add('too-deep', `nested more than ${maxDepth} deep`, { at })
      return false
    }
    if (closes) {
      depth -= 1
      if (comma >= 0)
        findings.add('trailing-comma', 'a comma before a closing bracket is not portable: other agents read settings as strict JSON', {
          at: comma,
          hint: 'Remove the comma.',
        })
    }
    comma = kind === token.comma ? at : -1
  }
  return true
}

function fromNode(node: Node, findings: Findings): Tree {
  const at = node.offset
  switch (node.type) {
    case 'object':
      return { kind: 'object', at, entries: entriesOf(node, findings) }
    case 'array':
      return { kind: 'list', at, items: (node.children ?? []).map((item) => fromNode(item, findings)) }
    case 'string':
      return { kind: 'text', at, value: String(node.value) }
    case 'number':
      return { kind: 'number', at, value: Number(node.value) }
    case 'boolean':
      return { kind: 'flag', at, value: node.value === true }
    default:
      return { kind: 'null', at }
  }
}

/** The members of an object. Of two with one key the last counts, as in every JSON reader. */
function entriesOf(node: Node, findings: Findings): Entry[] {
  const entries = new Map<string, Entry>()
  for (const { children: [name, value] = [] } of node.children ?? []) {
    if (name === undefined || value === undefined) continue
    const key = String(name.value)
    const before = entries.get(key)
    if (before !== undefined) {
      const line = findings.locate(before.keyAt)?.line
      findings.add('duplicate-key', `the key ${quoted(key)} stands here again; what it holds in line ${line} is not read`, {
        at: name.offset,
        hint: 'Join the two.',
        // A whole block of guards or rules that is lost is no matter of taste.
        ...((before.value.kind === 'object' && before.value.entries.length > 0) || before.value.kind === 'list' ? { severity: 'error' as const } : {}),
      })
      entries.delete(key)
    }
    entries.set(key, { key, keyAt: name.offset, value: fromNode(value, findings) })
  }
  return [...entries.values()]
}

const errorText: Partial<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'a word that JSON does not know',
  InvalidNumberFormat: 'not a number',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'an object is not closed',
  CloseBracketExpected: 'a list is not closed',
  EndOfFileExpected: 'text after the end of the object',
  InvalidCommentToken: 'a comment that does not end',
  UnexpectedEndOfComment: 'a comment that does not end',
  UnexpectedEndOfString: 'a text without its closing quote',
  UnexpectedEndOfNumber: 'a number that does not end',
  InvalidUnicode: 'a \\u escape that is none',
  InvalidEscapeCharacter: 'a backslash before a character that needs none; write \\\\ for a backslash',
  InvalidCharacter: 'a control character inside a text',
}

function errorWords({ error, offset, length }: ParseError, body: string): string {
  const name = printParseErrorCode(error as ParseErrorCode)
  const found = body.slice(offset, offset + Math.min(length, 20))
  return `${errorText[name] ?? name}${found.trim() === '' ? '' : `, found ${quoted(found)}`}`
}
