/** Reads one permission rule and says, with a place and a hint, what is wrong with it. */
import { mainFields } from '../protocol/tools.ts'
import type { Rule } from './rule.ts'

/** A rule, or what is wrong with its text. `offset` counts characters from 0. */
export type ParsedRule =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'fault'; readonly message: string; readonly offset: number; readonly hint?: string }

const oneRule = 'A rule is one Tool or Tool(pattern): `if` takes exactly one rule'
const joiner = /^\s*(?:\|\|?|&&?|,|;|or\b|and\b)/i
const nextRule = /^\s+[A-Za-z_*][\w*.:-]*\s*(?:\(|$)/

/** Reads the text of a permission rule (protocol §4.4). Never throws; a value that is no text is a fault too. */
export function parseRule(text: unknown): ParsedRule {
  if (Array.isArray(text)) return joined(0)
  if (typeof text !== 'string') return fault(`A rule must be text, not ${text === null ? 'null' : typeof text}`, 0)
  const start = text.length - text.trimStart().length
  const rule = text.trim()
  if (rule === '') return fault('The rule is empty', 0, 'Write a tool name, for example Bash or Bash(git push *).')
  const open = rule.indexOf('(')
  const head = open < 0 ? rule : rule.slice(0, open)
  const headFault = checkHead(head, start, open >= 0)
  if (headFault) return headFault
  if (open < 0) return { kind: 'rule', rule: { text: rule, tool: head } }

  const close = closingBracket(rule, open)
  if (close < 0) return fault(`The bracket after "${head}" is never closed`, start + open, 'Close it, or write \\( for a bracket that is part of the pattern.')
  const rest = rule.slice(close + 1)
  if (rest !== '') {
    if (joiner.test(rest) || nextRule.test(rest)) return joined(start + close + 1)
    return fault(`There is text after the closing bracket: "${rest.trim()}"`, start + close + 1, 'Write \\( and \\) for brackets that are part of the pattern.')
  }
  const specifier = rule.slice(open + 1, close).replace(/\\([()])/g, '$1')
  const specifierFault = checkSpecifier(head, specifier, start + open + 1)
  if (specifierFault) return specifierFault
  return { kind: 'rule', rule: specifier.trim() === '*' ? { text: rule, tool: head } : { text: rule, tool: head, specifier } }
}

function fault(message: string, offset: number, hint?: string): ParsedRule {
  return hint === undefined ? { kind: 'fault', message, offset } : { kind: 'fault', message, offset, hint }
}

function joined(offset: number): ParsedRule {
  return fault(oneRule, offset, 'Write one hook (or one list entry) per rule.')
}

function checkHead(head: string, start: number, bracket: boolean): ParsedRule | undefined {
  if (head === '') return fault('There is no tool name before the bracket', start, 'Write Tool(pattern), for example Bash(git push *).')
  const odd = head.search(/[\s|,;&)]/)
  if (odd < 0) {
    if (head.includes('.*'))
      return fault(`"${head}" is a regular expression, and a rule is not`, start + head.indexOf('.*'), `Write ${head.replaceAll('.*', '*')}.`)
    return undefined
  }
  const rest = head.slice(odd)
  if (bracket && rest.trim() === '') return fault(`There is a blank between "${head.trim()}" and its bracket`, start + odd, `Write ${head.trim()}(…).`)
  if (joiner.test(rest) || nextRule.test(rest) || (bracket && /^\s+\S+$/.test(rest))) return joined(start + odd)
  return fault(`"${head}" is not a tool name`, start + odd, 'A tool name has no blanks and no brackets.')
}

/** The place of the bracket that closes the one at `open`; -1 when none does. Escaped brackets do not count. */
function closingBracket(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const c = text[i]
    if (c === '\\' && (text[i + 1] === '(' || text[i + 1] === ')')) i++
    else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return i
  }
  return -1
}

function checkSpecifier(tool: string, specifier: string, offset: number): ParsedRule | undefined {
  if (specifier.trim() === '') return fault(`The brackets after "${tool}" are empty`, offset, `Write ${tool} for every call of the tool.`)
  const main = Object.hasOwn(mainFields, tool) ? mainFields[tool] : undefined
  if (main !== undefined && specifier.startsWith(`${main}:`)) {
    return fault(`"${main}" is the main field of ${tool} and cannot be named in a rule`, offset, `Write ${tool}(${specifier.slice(main.length + 1).trim()}).`)
  }
  if ((tool === 'Bash' || tool === 'PowerShell' || tool === 'Monitor') && specifier.trim() === ':*') {
    return fault('There is no command before ":*"', offset, `Write ${tool} for every command.`)
  }
  if (main !== undefined && main !== 'command' && main !== 'url' && specifier.startsWith('!')) {
    return fault('A path in a rule cannot be negated', offset, 'Write the paths that are meant, or a rule in the deny list.')
  }
  if (tool === 'WebFetch' && (specifier.includes('://') || !specifier.includes(':'))) {
    return fault('WebFetch rules name a host, not an address', offset, 'Write WebFetch(domain:example.com).')
  }
  return undefined
}
