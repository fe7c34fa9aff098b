/** A process that is killed at any moment: what it had printed stands in the transcript, and the session can be resumed. */
import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../../src/run.ts'
import { transcriptFolder, transcriptPath } from '../../src/session/places.ts'
import { folderWith } from '../folder.ts'

type Line = Record<string, unknown>

const bin = fileURLToPath(new URL('../../../hookline/bin/hookline.cjs', import.meta.url))
const tries = 20
const atOnce = 2
const step = (at: number) => [{ text: `Step ${at}.` }, { tool: 'Read', input: { file_path: 'a.txt' } }]
const script = JSON.stringify({ modelTurns: [...Array.from({ length: 60 }, (_, at) => step(at)), 'all done'] })

interface Killed {
  /** What was printed, line by line; a last one that was cut was not said. */
  printed: Line[]
  code: number | null
}

/** Starts the command and kills it a random moment after a random number of lines. */
function killOne(where: { cwd: string; env: Record<string, string> }, sessionId: string, after: { lines: number; ms: number }): Promise<Killed> {
  const words = ['run', '-p', 'go', '--session-id', sessionId, '--output-format', 'stream-json', '--model', 'script:turns.json', '--trust']
  const child = spawn(process.execPath, [bin, ...words], { ...where, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed: Line[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    try {
      printed.push(JSON.parse(text) as Line)
    } catch {
      return
    }
    if (printed.length === after.lines) setTimeout(() => child.kill('SIGKILL'), after.ms)
  })
  return new Promise((done) => child.on('close', (code) => done({ printed, code })))
}

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Line]))

async function tryOnce(cwd: string, home: string): Promise<'killed' | 'done'> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_STATE_HOME: join(home, 'state') }
  const sessionId = randomUUID()
  const after = { lines: randomInt(1, 110), ms: randomInt(0, 25) }
  const { printed, code } = await killOne({ cwd, env }, sessionId, after)
  const moment = `killed ${after.ms} ms after line ${after.lines}`
  const acknowledged = printed.filter(({ type }) => type === 'assistant' || type === 'user').map(({ uuid }) => uuid)
  const path = transcriptPath(transcriptFolder(cwd, env), sessionId)
  // Killed before the prompt was taken: nothing was promised.
  if (!existsSync(path)) {
    expect(acknowledged, moment).toEqual([])
    return 'killed'
  }
  let out = ''
  const io = { stdin: Readable.from([]), out: (text: string) => (out += text), err: () => {}, env, cwd, terminal: false }
  const words = ['-p', 'go on', '--resume', sessionId, '--output-format', 'json', '--model', 'script:resume.json', '--trust']
  expect(await run(words, io), moment).toBe(0)
  expect(JSON.parse(out), moment).toMatchObject({ subtype: 'success', result: 'resumed', session_id: sessionId })
  const messages = linesOf(path).filter(({ type }) => type === 'assistant' || type === 'user')
  const ids = messages.map(({ uuid }) => uuid)
  expect(ids.slice(1, 1 + acknowledged.length), moment).toEqual(acknowledged)
  expect(messages.map(({ parentUuid }) => parentUuid).slice(1), moment).toEqual(ids.slice(0, -1))
  // The first is the prompt; the last two are the prompt after the crash and its answer; every call has a result.
  const blocks = messages.flatMap(({ message }) => (message as { content: { type: string; id?: string; tool_use_id?: string }[] }).content)
  const calls = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
  expect(
    blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : [])),
    moment,
  ).toEqual(calls)
  return code === null ? 'killed' : 'done'
}

test(`Killed at ${tries} random moments, nothing that was printed is lost and the session goes on`, { timeout: 900_000 }, async () => {
  const cwd = folderWith({ 'a.txt': 'text\n', 'turns.json': script, 'resume.json': '["resumed"]' })
  const home = folderWith()
  const ends: string[] = []
  for (let at = 0; at < tries; at += atOnce) ends.push(...(await Promise.all(Array.from({ length: atOnce }, () => tryOnce(cwd, home)))))
  // A moment may lie behind the end; most do not.
  expect(ends.filter((end) => end === 'killed').length).toBeGreaterThan(tries / 2)
})
