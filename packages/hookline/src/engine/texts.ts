/** The two ready texts of a verdict: what the model reads and what the person reads, labelled, in configuration order. */
import type { NamedRow } from '../protocol/events.ts'
import type { Message } from '../protocol/verdict-parts.ts'
import type { Folded } from './aggregate.ts'
import { cleanText } from './clean-text.ts'

/**
 * Reasons, context and messages for the model; `''` when there are none. Each says which hook it comes from, and its further lines are
 * set in, so that no text can pass for the words of another hook.
 */
export function modelText(row: NamedRow, folded: Folded, labelOf: (by: string) => string): string {
  const lines: string[] = []
  const says = (by: string, text: string) => lines.push(`${row.name} hook ${labelOf(by).replace(/\s+/g, ' ')}: ${setIn(text)}`)
  for (const block of folded.blocks) {
    if (block.to === 'model') says(block.by, block.reason === '' ? noReason(row) : block.reason)
  }
  for (const { text, by } of folded.context) says(by, text)
  for (const message of folded.messages) if (message.to === 'model') says(message.by ?? 'hookline', message.text)
  return cleanText(lines.join('\n'))
}

function setIn(text: string): string {
  return text.trimEnd().replace(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n  ')
}

/** Reasons and messages for the person; `''` when there are none. */
export function userText(row: NamedRow, folded: Folded): string {
  const lines: string[] = []
  if (folded.stop !== undefined && folded.stop.reason !== '') lines.push(folded.stop.reason)
  for (const block of folded.blocks) {
    if (block.to === 'user' && block.reason !== folded.stop?.reason) lines.push(block.reason === '' ? noReason(row) : block.reason)
  }
  const { permission } = folded
  // A deny's reason goes where the row says; an ask's or allow's to the person (contract §1).
  if (permission?.reason !== undefined && (permission.behavior === 'ask' || permission.behavior === 'allow')) lines.push(permission.reason)
  for (const message of folded.messages) if (message.to === 'user') lines.push(lineOf(message))
  return cleanText(lines.join('\n'))
}

function lineOf(message: Message): string {
  return message.level === 'info' && message.by !== undefined ? `[${message.by}] ${message.text}` : message.text
}

function noReason(row: NamedRow): string {
  return row.onBlock === 'resume' ? 'asked to go on, without a reason' : 'refused, without a reason'
}
