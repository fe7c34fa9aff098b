/** The transcript of one conversation: a file of JSON lines that only grows, written before a message takes effect. */
import { randomUUID } from 'node:crypto'
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { MessageFacts } from '../loop/conversation.ts'
import type { Media, Message } from '../model/port.ts'
import { AgentError } from './handle.ts'

/** What stands on every line. */
export interface TranscriptFacts {
  readonly sessionId: string
  /** Set in a subagent's transcript. */
  readonly agentId?: string
  cwd(): string
  version: string
}

export interface Transcript {
  /** Absolute; the file is there once the first line is. */
  readonly path: string
  /** Id of the last message. */
  readonly lastId: string
  /** Adds a message; gives its id. @throws when the disk does not take it. */
  message(message: Message, facts?: MessageFacts): string
  /** Adds a line that is no message: a boundary, a mark. */
  note(subtype: string, facts?: Record<string, unknown>): void
  title(title: string): void
  /** Makes what was written survive the machine, not only this process. */
  sync(): void
  close(): void
}

/** Opens a transcript for appending. Nothing is written before the first line. */
export function openTranscript(path: string, facts: TranscriptFacts, { parent }: { parent?: string } = {}): Transcript {
  let file: number | undefined
  let lastId = parent ?? ''
  let dirty = false
  const write = (line: Record<string, unknown>): void => {
    if (file === undefined) {
      file = openFile(path)
    }
    // One write per line: a process that dies between two leaves whole lines, and the last one at worst torn.
    writeSync(file, `${JSON.stringify(line)}\n`)
    dirty = true
  }
  const common = () => ({
    ...(lastId === '' ? { parentUuid: null } : { parentUuid: lastId }),
    isSidechain: facts.agentId !== undefined,
    ...(facts.agentId === undefined ? {} : { agentId: facts.agentId }),
    userType: 'external',
    cwd: facts.cwd(),
    sessionId: facts.sessionId,
    version: facts.version,
    timestamp: new Date().toISOString(),
  })
  return {
    path,
    get lastId() {
      return lastId
    },
    message(message, { model, stopReason, usage, meta, compactSummary } = {}) {
      const uuid = randomUUID()
      write({
        ...common(),
        type: message.role,
        message:
          message.role === 'user'
            ? { role: 'user', content: wireContent(message) }
            : {
                id: `msg_${uuid.replaceAll('-', '').slice(0, 24)}`,
                type: 'message',
                role: 'assistant',
                model: model ?? '',
                content: wireContent(message),
                stop_reason: stopReason ?? null,
                stop_sequence: null,
                usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
              },
        uuid,
        ...(meta === true ? { isMeta: true } : {}),
        ...(compactSummary === true ? { isCompactSummary: true } : {}),
      })
      lastId = uuid
      return uuid
    },
    note(subtype, more = {}) {
      const uuid = randomUUID()
      write({ ...common(), type: 'system', subtype, uuid, ...more })
    },
    title(title) {
      write({ type: 'custom-title', customTitle: title, sessionId: facts.sessionId })
    },
    sync() {
      if (!dirty || file === undefined) return
      dirty = false
      try {
        fdatasyncSync(file)
      } catch {
        // A file system without it keeps the lines as it keeps everything else.
      }
    },
    close() {
      this.sync()
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** @throws AgentError: a session that cannot be kept does not begin. */
function openFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, 'a', 0o600)
  } catch (error) {
    throw new AgentError(`The transcript ${path} cannot be written: ${(error as Error).message}.`, 'Set XDG_STATE_HOME to a folder that you may write to.')
  }
}

const open = '<system-reminder>\n'
const shut = '\n</system-reminder>'

/** Blocks as other tools read them: what the agent added in its own name stands in its frame, pictures stand behind the text of their result. */
export function wireContent(message: Message): unknown[] {
  return message.content.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.reminder === true ? `${open}${block.text}${shut}` : block.text }
    if (block.type !== 'tool_result' || block.media === undefined) return block
    const { media, content, ...rest } = block
    return { ...rest, content: [{ type: 'text', text: content }, ...media.map(wireMedia)] }
  })
}

function wireMedia({ mediaType, data }: Media): object {
  return { type: mediaType.startsWith('image/') ? 'image' : 'document', source: { type: 'base64', media_type: mediaType, data } }
}

/** The text inside the frame, or undefined when there is none. */
export function framed(text: string): string | undefined {
  return text.startsWith(open) && text.endsWith(shut) ? text.slice(open.length, -shut.length) : undefined
}
