/** The examples of the guide to warm hooks do what it says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestHookline, example } from '../../src/testing.ts'
import { HookFolder } from '../hook/script.ts'
import { root } from '../house/reading.ts'

const folder = new HookFolder()
beforeAll(() => folder.compile())
afterAll(() => folder.remove())

const page = readFileSync(join(root, 'docs/guide/warm-hooks.md'), 'utf8')
const blocks = (language: string) => [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
const [persistent, module] = blocks('json').map((text) => JSON.parse(text) as object)
const door = pathToFileURL(join(folder.path, 'hook.mjs')).href

test.each([
  ['the persistent command', persistent, '.claude/hooks/guard.py', blocks('python')[0] ?? ''],
  ['the module', module, '.claude/hooks/guard.mjs', (blocks('js')[0] ?? '').replace('hookline/hook', door)],
])('%s denies what it is there to deny, and nothing else', async (_name, settings, file, text) => {
  await using hookline = await createTestHookline({ files: { [file]: text }, settings: [settings ?? {}] })
  const fire = async (command: string) => await hookline.fire('PreToolUse', example('PreToolUse', { tool_name: 'Bash', tool_input: { command } }))
  for (let count = 0; count < 3; count++) {
    expect((await fire('rm -rf /')).permission).toMatchObject({ behavior: 'deny', reason: 'No rm -rf here.' })
    const verdict = await fire('ls')
    expect(verdict.permission.behavior).toBe('passthrough')
    expect(verdict.hooks).toMatchObject([{ status: 'ran', ending: { kind: 'returned' } }])
  }
})
