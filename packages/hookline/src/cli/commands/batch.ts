/** `--batch`: JSON lines in, one line out per line in, same order, same id. */
import { type Exit, exits } from '../exits.ts'
import { maxInput } from '../read-input.ts'
import { parseObject } from '../read-json.ts'
import type { Terminal } from '../terminal.ts'

/** Answers one line. What it throws is told on the line's own answer. */
export type AnswerLine = (line: Readonly<Record<string, unknown>>) => object | Promise<object>

/** Gives 1 when a line could not be read; the others are answered all the same. */
export async function answerLines(stream: AsyncIterable<Buffer>, terminal: Terminal, answer: AnswerLine): Promise<Exit> {
  let unread = 0
  for await (const bytes of linesOf(stream)) {
    let id: unknown
    try {
      const line = await parseLine(bytes)
      id = line['id']
      terminal.line({ ...withId(id), ...(await answer(line)) })
    } catch (error) {
      unread += 1
      terminal.line({ ...withId(id), error: error instanceof Error ? error.message : String(error) })
    }
  }
  return unread === 0 ? exits.goOn : exits.findings
}

function withId(id: unknown): { id?: unknown } {
  return id === undefined ? {} : { id }
}

async function parseLine(bytes: Buffer | 'too-long'): Promise<Record<string, unknown>> {
  if (bytes === 'too-long') throw new Error(`the line is over ${maxInput / 1024 / 1024} MiB`)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('the line is not UTF-8')
  }
  return await parseObject(text, { name: 'line' })
}

/** Lines as bytes, without their ends; a line over the limit is given as a word and its bytes are let go. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | 'too-long'> {
  let parts: Buffer[] = []
  let size = 0
  const take = (): Buffer | 'too-long' => {
    const line = size > maxInput ? 'too-long' : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }
  const keep = (part: Buffer) => {
    size += part.length
    if (size > maxInput) parts = []
    else parts.push(part)
  }
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    keep(chunk.subarray(from))
  }
  if (size > 0) yield take()
}
