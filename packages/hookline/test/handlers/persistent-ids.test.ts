/** Ids on the lines of a process that stays: an answer reaches the event it was given to, or nobody. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCommandHandler } from '../../src/handlers/command.ts'
import { ownerOf, withId, withoutId } from '../../src/process/persistent-ids.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { createTestHookline } from '../../src/testing.ts'
import { HookFolder } from '../hook/script.ts'
import { makeContext } from './make-run.ts'
import { warmHook } from './warm-hook.ts'

let root: string
let handler: HandlerRunner
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-ids-')))
  handler = createCommandHandler({ env: { PATH: '/usr/bin:/bin', HOME: root } })
})
afterEach(async () => {
  await handler.close?.()
  rmSync(root, { recursive: true })
})

async function send(hook: RunnableHook, say = '', context: Partial<RunContext> = {}): Promise<RawResult> {
  const input = { session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: say }
  return await handler.run(hook, makeContext({ input, projectDir: root, cwd: root, ...context }))
}

/** A shell program that reads lines, with the id of each in `$id`, the one before in `$old`, and `say ID TEXT`. */
const program = (body: string) =>
  warmHook(
    `say() { printf '{"hookline_id":"%s","systemMessage":"%s"}\\n' "$1" "$2"; }; while read -r line; do old=$id; id=\${line#*hookline_id\\":\\"}; id=\${id%%\\"*}; ${body}; done`,
    {},
    { label: 'guard' },
  )
const message = (text: string) => `{"systemMessage":"${text}"}\n`
const warned = (result: RawResult) => (result.warnings ?? []).map(({ code, message: text }) => `${code}: ${text}`)
const droppedLine = (part: string) =>
  expect.stringMatching(new RegExp(`^persistent-dropped: The process of hook "guard" wrote a line that answers no open event.*${part}`))

describe('a process that carries ids back', () => {
  it('has an id of its own in each request, and the answer is read without it', async () => {
    const hook = program('say "$id" "$id"')
    const [one, two] = [await send(hook), await send(hook)]
    const ids = [one, two].map(({ stdout = '' }) => (JSON.parse(stdout) as { systemMessage: string }).systemMessage)
    expect(new Set(ids).size).toBe(2)
    expect([one, two]).toEqual(ids.map((id) => ({ ending: { kind: 'returned' }, stdout: message(id ?? ''), stderr: '' })))
  })

  it('is heard wherever the id stands, and whatever is printed beside it', async () => {
    const hook = program(`echo starting; printf '{"systemMessage": "right %s", "hookline_id" : "%s"}\\n' $$ "$id"; echo done`)
    const [one, two] = [await send(hook), await send(hook)]
    expect(one.stdout).toMatch(/^\{"systemMessage": "right \d+"\}\n$/)
    expect(two.stdout).toBe(one.stdout)
    expect(warned(one)).toEqual([droppedLine('starting'), droppedLine('done')])
  })

  it.each([
    ['before its own', 'say "$old" wrong; sleep 0.05; say "$id" right'],
    ['with its own', `printf '{"hookline_id":"%s","systemMessage":"wrong"}\\n{"hookline_id":"%s","systemMessage":"right"}\\n' "$old" "$id"`],
    ['of somebody else', 'say other wrong; say "$id" right'],
    ['that is a number', `echo '{"hookline_id":7,"systemMessage":"wrong"}'; say "$id" right`],
  ])('never has an answer to another event taken for this one: %s', async (_name, body) => {
    const hook = program(`case $line in *first*) say "$id" first;; *) ${body};; esac`)
    expect((await send(hook, 'first')).stdout).toBe(message('first'))
    const result = await send(hook)
    expect(result.stdout).toBe(message('right'))
    expect(warned(result)).toEqual([droppedLine('wrong')])
  })

  it('that answers twice is heard once, and what comes late is dropped at the next event, in the same process', async () => {
    const hook = program('say "$id" "$$ ${line##*prompt}"; sleep 0.1; say "$id" again; : > "$PWD/said"')
    const one = await send(hook, 'a')
    await new Promise((resolve) => setTimeout(resolve, 400))
    const two = await send(hook, 'b')
    const pid = (result: RawResult) => /"systemMessage":"(\d+)/.exec(result.stdout ?? '')?.[1]
    expect(pid(two)).toBe(pid(one))
    expect(two.stdout).toContain('b')
    expect(warned(two)).toEqual([droppedLine('again')])
  })

  it('that began a line between two events has not answered with it', async () => {
    const hook = program(`case $line in *first*) say "$id" first; printf '{"systemMessage":"half';; *) printf ' a line"}\\n'; say "$id" right;; esac`)
    await send(hook, 'first')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const result = await send(hook)
    expect(result.stdout).toBe(message('right'))
    expect(warned(result)).toEqual([droppedLine('half a line')])
  })

  it('gives no answer without an id any more', async () => {
    const hook = program(`case $line in *first*) say "$id" first;; *) echo '{"systemMessage":"no id"}';; esac`)
    await send(hook, 'first')
    const result = await send(hook, '', { timeoutMs: 700 })
    expect(result).toMatchObject({ ending: { kind: 'timedOut' }, stdout: '' })
    expect(warned(result)).toEqual([droppedLine('no id')])
  })

  it('that only answers other events is one that does not answer', async () => {
    const result = await send(program(`say nobody wrong; printf '{"hookline_id":"nobody","decision":"block"'`), '', { timeoutMs: 700 })
    expect(result).toMatchObject({ ending: { kind: 'timedOut' }, stdout: '' })
    expect(warned(result)).toEqual([droppedLine('wrong'), droppedLine('block')])
  })

  it('keeps a denial that it gave without ending the line', async () => {
    const result = await send(program(`printf '{"hookline_id":"%s","decision":"block","reason":"no"}' "$id"; sleep 3600`), '', { timeoutMs: 1_000 })
    expect(result).toMatchObject({ ending: { kind: 'timedOut' }, stdout: '{"decision":"block","reason":"no"}' })
  })
})

describe('a process that carries no ids', () => {
  const stray = `while read -r line; do echo '{"systemMessage":"one"}'; case $line in *loud*) sleep 0.1; echo '{"systemMessage":"surplus"}';; esac; done`

  it('is heard as long as it says one line for each event', async () => {
    const hook = warmHook(stray)
    for (let count = 0; count < 3; count++) expect(await send(hook)).toEqual({ ending: { kind: 'returned' }, stdout: message('one'), stderr: '' })
  })

  it('never answers the next event with a line too many: it is told, and a new process asked', async () => {
    const hook = warmHook(stray, {}, { label: 'guard' })
    await send(hook, 'loud')
    await new Promise((resolve) => setTimeout(resolve, 400))
    const result = await send(hook)
    expect(result).toMatchObject({ ending: { kind: 'returned' }, stdout: message('one') })
    expect(warned(result)).toEqual([expect.stringMatching(/^persistent-restarted: .*wrote to stdout between two events/)])
  })

  it('fails the next event after a line too many when it must not fail open', async () => {
    await using hookline = await createTestHookline({
      settings: [{ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: stray, persistent: true, onFailure: 'block' }] }] } }],
    })
    expect((await hookline.fire('UserPromptSubmit', { prompt: 'loud' })).blocked).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 400))
    const failed = await hookline.fire('UserPromptSubmit', { prompt: 'x' })
    expect(failed).toMatchObject({ blocked: true, reason: expect.stringContaining('cannot be told apart') })
    expect((await hookline.fire('UserPromptSubmit', { prompt: 'x' })).blocked).toBe(false)
  })
})

describe('a hook made with defineHook', () => {
  const folder = new HookFolder()
  beforeAll(() => folder.compile())
  afterAll(() => folder.remove())

  it('carries the id back by itself, first, and does not see it', async () => {
    const script = folder.write('ids.mjs', `defineHook('Stop', (input) => ({ message: Object.keys(input).join() }))\ndefineHook('SubagentStop', () => {})`)
    const line = (name: string, id: unknown) => JSON.stringify({ hookline_id: id, session_id: 's', hook_event_name: name })
    const { stdout } = await folder.run(script, `${line('Stop', 'a-1')}\n${line('SubagentStop', 'a-2')}\n`, { HOOKLINE_PERSISTENT: '1' })
    expect(stdout).toBe('{"hookline_id":"a-1","systemMessage":"session_id,hook_event_name"}\n{"hookline_id":"a-2"}\n')
  })

  it('that prints to the console as well answers all the same, event after event', async () => {
    const script = folder.write(
      'chatty.mjs',
      `defineHook('UserPromptSubmit', (input) => { console.log({ decision: 'block' }); return { message: input.prompt } })`,
    )
    await using hookline = await createTestHookline({
      settings: [{ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: process.execPath, args: [script], persistent: true }] }] } }],
    })
    for (const prompt of ['a', 'b'])
      expect(await hookline.fire('UserPromptSubmit', { prompt })).toMatchObject({ blocked: false, toUser: expect.stringContaining(prompt), warnings: [] })
  })
})

describe('ids in a text', () => {
  const text = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()
  const bytes = (one: string) => new TextEncoder().encode(one)

  it.each([
    ['{"a":1}', '{"hookline_id":"x.1","a":1}'],
    ['{}', '{"hookline_id":"x.1"}'],
    ['{"}":1}', '{"hookline_id":"x.1","}":1}'],
    ['[1]', '[1]'],
  ])('are put into %s', (request, line) => expect(text(withId([bytes(request), bytes('\n')], 'x.1'))).toBe(`${line}\n`))

  it.each([
    ['{"hookline_id":"x.1"}', 'mine', '{}'],
    ['{"hookline_id":"x.1","a":1}', 'mine', '{"a":1}'],
    ['{"a":1,"hookline_id":"x.1"}', 'mine', '{"a":1}'],
    ['{ "a":1, "hookline_id": "x.1", "b":2 }', 'mine', '{ "a":1, "b":2 }'],
    ['{"hookline_id":"x.1","decision": block', 'mine', '{"decision": block'],
    ['{"hookline_id":"x.10"}', 'foreign', '{"hookline_id":"x.10"}'],
    ['{"hookline_id":"x11"}', 'foreign', '{"hookline_id":"x11"}'],
    ['{ "hookline_id": "y", "decision": bl', 'foreign', '{ "hookline_id": "y", "decision": bl'],
    ['{"hookline_id":null}', 'foreign', '{"hookline_id":null}'],
    ['{"a":{"hookline_id":"x.1"}}', 'plain', undefined],
    ['{"a":"hookline_id"}', 'plain', '{"a":"hookline_id"}'],
    ['hookline_id x.1', 'plain', 'hookline_id x.1'],
    ['{"a":1}', 'plain', '{"a":1}'],
  ])('in %s are %s', (line, owner, without) => {
    expect(ownerOf(line, 'x.1')).toBe(owner)
    if (without !== undefined) expect(withoutId(line, 'x.1').replace(/, *"b"/, ', "b"')).toBe(without)
  })
})
