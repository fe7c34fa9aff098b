/** Prompts from the command line and from stdin: one text, or JSON lines as they come. */
import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

const firstByteMs = 1_000

/** The prompt of the command line; what stdin holds is added to it, or is the prompt itself. */
export async function* textPrompts(given: string | undefined, io: Io): AsyncGenerator<string> {
  const piped = io.stdin.isTTY === true ? '' : (await readAll(io, given === undefined)).trim()
  const prompt = [given ?? '', piped].filter((text) => text !== '').join('\n\n')
  if (prompt !== '') yield prompt
}

/** All of stdin. With a prompt at hand nobody waits long for a stdin that says nothing. */
async function readAll({ stdin }: Io, wanted: boolean): Promise<string> {
  const parts: Buffer[] = []
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      stdin.pause()
      done(Buffer.concat(parts).toString('utf8'))
    }
    const timer = wanted ? undefined : setTimeout(() => parts.length === 0 && end(), firstByteMs)
    stdin.on('data', (part: Buffer) => parts.push(Buffer.from(part)))
    stdin.once('end', end)
    stdin.once('error', end)
  })
}

export interface LinePrompts {
  /** Called for a line that asks to end the turn. */
  interrupt(): void
  /** Called with what is wrong with a line. */
  report(text: string): void
}

/** `{"type":"user","message":{"role":"user","content":"…"}}`, one per line. */
export async function* linePrompts({ stdin }: Io, { interrupt, report }: LinePrompts): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const read = readLine(line)
    if (read.kind === 'prompt') yield read.text
    else if (read.kind === 'interrupt') interrupt()
    else report(read.text)
  }
}

function readLine(line: string): { kind: 'prompt'; text: string } | { kind: 'interrupt' } | { kind: 'wrong'; text: string } {
  let value: { type?: unknown; message?: { content?: unknown }; request?: { subtype?: unknown } } | null
  try {
    value = JSON.parse(line)
  } catch {
    return { kind: 'wrong', text: 'A line of stdin is no JSON and is left out.' }
  }
  if (value?.type === 'control_request' && value.request?.subtype === 'interrupt') return { kind: 'interrupt' }
  if (value?.type !== 'user') return { kind: 'wrong', text: `A line of stdin has the type ${JSON.stringify(value?.type)}; only "user" is known here.` }
  const content = value.message?.content
  if (typeof content === 'string') return { kind: 'prompt', text: content }
  if (!Array.isArray(content)) return { kind: 'wrong', text: 'A line of stdin has no message.content.' }
  return {
    kind: 'prompt',
    text: content
      .flatMap((block: { type?: unknown; text?: unknown } | null) => (block?.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
      .join('\n'),
  }
}
