/** `/resume` without an id: the stored sessions of this folder, the newest first. */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionHandle } from '../session/handle.ts'

const listed = 10
// The first prompt stands at the beginning; a title may stand anywhere and is looked for there too.
const readBytes = 64 * 1024

/** The listing as text. */
export function sessionListing({ conversation, sessionId }: SessionHandle): string {
  const folder = dirname(conversation.transcript.path)
  const files = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.jsonl') && name !== `${sessionId}.jsonl`)
    .map((name) => ({ id: name.slice(0, -'.jsonl'.length), path: join(folder, name), at: statSync(join(folder, name)).mtime }))
    .sort((a, b) => b.at.getTime() - a.at.getTime())
  if (files.length === 0) return 'There is no other session of this folder. With an id, /resume ID goes on with one of another folder.'
  const rows = files.slice(0, listed).map(({ id, path, at }) => `${id}  ${at.toISOString().slice(0, 16).replace('T', ' ')}  ${aboutOf(path)}`)
  const more = files.length > listed ? [`… and ${files.length - listed} more.`] : []
  return [...rows, ...more, '', 'Say /resume ID.'].join('\n')
}

function aboutOf(path: string): string {
  let about = ''
  for (const line of beginning(path).split('\n')) {
    const read = readLine(line)
    if (read?.customTitle !== undefined) about = read.customTitle
    else if (about === '' && read?.type === 'user' && read.isMeta !== true) about = promptOf(read.message?.content)
  }
  return about.replaceAll(/\s+/g, ' ').slice(0, 60)
}

interface Line {
  type?: string
  customTitle?: string
  isMeta?: boolean
  message?: { content?: unknown }
}

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line
  } catch {
    return undefined
  }
}

/** What the person typed; frames of the agent's own stand before it. */
function promptOf(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as { type?: unknown; text?: unknown }[]) : []
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
  return typeof content === 'string' ? content : (texts.find((text) => !text.startsWith('<')) ?? '')
}

function beginning(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(readBytes)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, readBytes, 0))
  } finally {
    closeSync(file)
  }
}
