/** Model hooks of settings files, through createHookline: the verifier's own tools, rules that bind them, trust, and sessions that end. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Model, ModelReply, ModelRequest, VerifierTool } from '../../src/index.ts'
import { createTestHookline, example, type ScriptedReply, scriptedModel, type TestHooklineOptions } from '../../src/testing.ts'

const uses = (name: string, input: object): Partial<ModelReply> => ({ toolCalls: [{ id: name, name, input }] })
const handsIn = (ok: boolean, reason = 'R') => uses('StructuredOutput', { ok, reason })
const hooks = (...list: object[]) => ({ hooks: { Stop: [{ hooks: list }] } })
const agent = { type: 'agent', prompt: 'Is NOTES.md complete?' }
const lastText = (request: ModelRequest | undefined) => request?.messages.at(-1)?.text ?? ''

async function stop(settings: object, replies: readonly ScriptedReply[], { at, ...options }: TestHooklineOptions & { at?: (folder: string) => string } = {}) {
  const model = scriptedModel(replies)
  const hookline = await createTestHookline({ model, ...options, files: { '.claude/settings.json': JSON.stringify(settings), ...options.files } })
  const verdict = await hookline.fire('Stop', { ...example('Stop'), cwd: at?.(hookline.cwd) ?? hookline.cwd })
  await hookline.close()
  return { verdict, model }
}

describe('a verifier without tools of the host', () => {
  const files = { 'NOTES.md': 'half of it', 'secret/key.txt': 'hidden', 'sub/inner.txt': 'inside' }

  test('has Read, Glob and Grep below the folder of the event', async () => {
    const { verdict, model } = await stop(
      hooks(agent),
      [uses('Read', { file_path: 'NOTES.md' }), uses('Grep', { pattern: 'half' }), handsIn(false, 'Half is missing.')],
      {
        files,
      },
    )
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['Read', 'Glob', 'Grep', 'StructuredOutput'])
    expect(lastText(model.requests[1])).toContain('1\thalf of it')
    expect(lastText(model.requests[2])).toContain('NOTES.md:1:half of it')
    expect(verdict).toMatchObject({ blocked: true, reason: 'Half is missing.' })
  })

  test('stands where the event stands, and sees the project too', async () => {
    const { model } = await stop(hooks(agent), [uses('Read', { file_path: 'inner.txt' }), uses('Read', { file_path: '../NOTES.md' }), handsIn(true)], {
      files,
      at: (folder) => join(folder, 'sub'),
    })
    expect(lastText(model.requests[1])).toContain('inside')
    expect(lastText(model.requests[2])).toContain('half of it')
  })

  test('reads nothing that a deny or ask rule of the settings names', async () => {
    const settings = { ...hooks(agent), permissions: { deny: ['Read(secret/**)'], ask: ['Read(sub/**)'] } }
    const { model } = await stop(settings, [uses('Read', { file_path: 'secret/key.txt' }), uses('Grep', { pattern: 'hidden|inside' }), handsIn(true)], {
      files,
    })
    expect(lastText(model.requests[1])).toMatch(/A rule denies reading/)
    expect(lastText(model.requests[2])).toContain('No line matches')
  })

  test('reads nothing that a deny rule of the host names', async () => {
    const { model } = await stop(hooks(agent), [uses('Read', { file_path: 'NOTES.md' }), handsIn(true)], {
      files,
      permissions: { rules: { deny: ['Read(*.md)'] } },
    })
    expect(lastText(model.requests[1])).toMatch(/A rule denies reading/)
  })

  test('does not follow a link out of the folder', async () => {
    const model = scriptedModel([uses('Read', { file_path: 'out/key.txt' }), handsIn(true)])
    const hookline = await createTestHookline({ model, files: { '.claude/settings.json': JSON.stringify(hooks(agent)) } })
    mkdirSync(join(hookline.home, 'private'))
    writeFileSync(join(hookline.home, 'private/key.txt'), 'hidden')
    symlinkSync(join(hookline.home, 'private'), join(hookline.cwd, 'out'))
    await hookline.fire('Stop', example('Stop'))
    expect(lastText(model.requests[1])).toMatch(/outside of the folders/)
    await hookline.close()
  })
})

test('tools of the host take the place of the default ones', async () => {
  const look: VerifierTool = { name: 'Look', description: 'Looks.', inputSchema: { type: 'object' }, execute: () => 'seen' }
  const { model } = await stop(hooks(agent), [uses('Look', {}), handsIn(true)], { tools: [look] })
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['Look', 'StructuredOutput'])
})

test('a prompt and an agent hook side by side are asked once each, and nothing else is', async () => {
  const { verdict, model } = await stop(hooks({ type: 'prompt', prompt: 'Done?' }, agent), [
    ({ purpose }) => (purpose === 'prompt-hook' ? '{"ok":true}' : handsIn(false)),
    ({ purpose }) => (purpose === 'prompt-hook' ? '{"ok":true}' : handsIn(false)),
  ])
  expect(model.requests).toHaveLength(2)
  expect(verdict.hooks).toMatchObject([
    { type: 'prompt', ending: { kind: 'judged', ok: true } },
    { type: 'agent', ending: { kind: 'judged', ok: false } },
  ])
})

test('a hook that nobody vouched for asks no model', async () => {
  const { verdict, model } = await stop(hooks(agent), [], { trust: 'pinned' })
  expect(model.requests).toEqual([])
  expect(verdict.hooks).toMatchObject([{ status: 'skipped', skipped: { why: 'untrusted' } }])
})

test('closing ends a hook whose model never answers', async () => {
  let aborted = false
  const hanging: Model = (_, { signal }) => {
    signal.addEventListener('abort', () => (aborted = true))
    return new Promise(() => {})
  }
  const hookline = await createTestHookline({ model: hanging, files: { '.claude/settings.json': JSON.stringify(hooks(agent)) } })
  const fired = hookline.fire('Stop', example('Stop'))
  const refused = expect(fired).rejects.toMatchObject({ code: 'closed' })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await hookline.close()
  await refused
  expect(aborted).toBe(true)
})

test('an mcp_tool hook of a settings file asks the server of the host', async () => {
  const asked: object[] = []
  const mcp = {
    servers: () => ['memory'],
    async callTool(call: object) {
      asked.push(call)
      return { content: [{ type: 'text', text: '{"decision":"block","reason":"unsaved notes"}' }] }
    },
  }
  const hook = { type: 'mcp_tool', server: 'memory', tool: 'check', input: { last: '${last_assistant_message}' } }
  const hookline = await createTestHookline({ mcp, files: { '.claude/settings.json': JSON.stringify(hooks(hook)) } })
  expect(await hookline.fire('Stop', { last_assistant_message: 'bye' })).toMatchObject({ blocked: true, reason: 'unsaved notes' })
  expect(asked).toEqual([{ server: 'memory', tool: 'check', input: { last: 'bye' } }])
  await hookline.close()
})
