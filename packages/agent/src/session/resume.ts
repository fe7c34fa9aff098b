/** Reads a transcript back: the conversation as it was told to the model, injected context included. */
import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Media, Message, TextBlock, ToolResultBlock, ToolUseBlock } from '../model/port.ts'
import { threadOf } from './thread.ts'
import { framed } from './transcript.ts'

/** What a transcript held. */
export interface Stored {
  path: string
  sessionId: string
  messages: Message[]
  /** Id of the last message, for the next one. */
  lastId: string
  /** Calls that a hook put off; they are tried again. */
  deferred: readonly string[]
  lastAnswerAt?: number
  tokens: number
  /** What was wrong with the file, for the person. */
  notices: string[]
}

/** The newest session of a folder of transcripts that says anything. */
export function lastSession(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  return (
    files.find(({ name }) => readFileSync(join(folder, name), 'utf8').includes('"type":"assistant"'))?.name.slice(0, -'.jsonl'.length) ??
    files[0]?.name.slice(0, -'.jsonl'.length)
  )
}

/** The transcript of a session: in the folder of the project, else of any project. */
export function findTranscript(folder: string, sessionId: string): string | undefined {
  if (!/^[A-Za-z0-9_.-]+$/.test(sessionId)) return undefined
  const own = join(folder, `${sessionId}.jsonl`)
  if (existsSync(own)) return own
  const base = join(folder, '..')
  if (!existsSync(base)) return undefined
  return readdirSync(base)
    .map((project) => join(base, project, `${sessionId}.jsonl`))
    .find((path) => existsSync(path))
}

/** Reads a transcript. A torn last line is cut off the file, so that the next line stands alone. */
export function readTranscript(path: string): Stored {
  const notices: string[] = []
  const bytes = readFileSync(path)
  const whole = bytes.lastIndexOf(0x0a) + 1
  if (whole < bytes.length) {
    truncateSync(path, whole)
    notices.push(`${path}: the last line was cut off, as by a crash, and is left out.`)
  }
  const stored: Stored = { path, sessionId: basename(path, '.jsonl'), messages: [], lastId: '', deferred: [], tokens: 0, notices }
  const lines: Line[] = []
  for (const [at, text] of bytes.subarray(0, whole).toString('utf8').split('\n').entries()) {
    if (text === '') continue
    const line = parseLine(text)
    if (line === undefined) notices.push(`${path}:${at + 1}: this line is no JSON object and is left out.`)
    else lines.push(line)
  }
  const told = threadOf(lines)
  if (told.length < lines.length)
    notices.push(
      `${path}: several processes went on with this session at once. It goes on from its last message; ${lines.length - told.length} lines of the others are left out.`,
    )
  for (const line of told) readLine(stored, line)
  return stored
}

type Line = Record<string, unknown>

function parseLine(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : undefined
  } catch {
    return undefined
  }
}

function readLine(stored: Stored, line: Line): void {
  const { type, message, uuid, timestamp } = line
  if (type === 'system' && line['subtype'] === 'compact_boundary') {
    stored.messages = []
    stored.tokens = 0
    return
  }
  if (type === 'system' && line['subtype'] === 'tool_deferred' && typeof line['tool_use_id'] === 'string')
    stored.deferred = [...stored.deferred, line['tool_use_id']]
  if ((type !== 'user' && type !== 'assistant') || typeof message !== 'object' || message === null) return
  const { content, usage } = message as { content?: unknown; usage?: { input_tokens?: unknown; output_tokens?: unknown } | null }
  if (typeof uuid === 'string') stored.lastId = uuid
  if (type === 'user') {
    stored.deferred = []
    stored.messages.push({ role: 'user', content: blocksOf(content).flatMap((block) => userBlock(block)) })
    return
  }
  stored.messages.push({ role: 'assistant', content: blocksOf(content).flatMap((block) => assistantBlock(block)) })
  if (typeof usage === 'object' && usage !== null) stored.tokens = countOf(usage.input_tokens) + countOf(usage.output_tokens)
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  if (!Number.isNaN(at)) stored.lastAnswerAt = at
}

const countOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

function blocksOf(content: unknown): Line[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter((block): block is Line => typeof block === 'object' && block !== null) : []
}

function textBlock(text: string): TextBlock {
  const own = framed(text)
  return own === undefined ? { type: 'text', text } : { type: 'text', text: own, reminder: true }
}

function userBlock(block: Line): (TextBlock | ToolResultBlock)[] {
  if (block['type'] === 'text' && typeof block['text'] === 'string') return [textBlock(block['text'])]
  if (block['type'] !== 'tool_result' || typeof block['tool_use_id'] !== 'string') return []
  const content =
    typeof block['content'] === 'string'
      ? block['content']
      : blocksOf(block['content'])
          .flatMap((part) => (part['source'] === undefined ? [String(part['text'] ?? '')] : []))
          .join('\n')
  const media = blocksOf(block['content']).flatMap(mediaOf)
  const shown = media.length === 0 ? {} : { media }
  return [{ type: 'tool_result', tool_use_id: block['tool_use_id'], content, ...shown, ...(block['is_error'] === true ? { is_error: true } : {}) }]
}

function mediaOf({ source }: Line): Media[] {
  const { media_type: mediaType, data } = (source ?? {}) as Line
  return typeof mediaType === 'string' && typeof data === 'string' ? [{ mediaType, data }] : []
}

function assistantBlock(block: Line): (TextBlock | ToolUseBlock)[] {
  if (block['type'] === 'text' && typeof block['text'] === 'string') return [{ type: 'text', text: block['text'] }]
  if (block['type'] !== 'tool_use' || typeof block['id'] !== 'string') return []
  const signed = typeof block['signature'] === 'string' ? { signature: block['signature'] } : {}
  return [{ type: 'tool_use', id: block['id'], name: String(block['name']), input: block['input'], ...signed }]
}

/** The calls of the last message that have no result: they were running when the session ended, or were put off. */
export function unansweredCalls(messages: readonly Message[]): ToolUseBlock[] {
  const last = messages.at(-1)
  return last?.role === 'assistant' ? last.content.filter((block) => block.type === 'tool_use') : []
}
