/** What the pages show is what the examples hold and print. `HOOKLINE_WRITE_PAGES=1` writes the pages instead of failing. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../house/reading.ts'
import { countMarked, pages, render, settled } from './pages.ts'

const all = await Promise.all((await pages()).map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const))

describe('a marked block shows what the example holds or prints', () => {
  test.each(all.filter(([, text]) => countMarked(text) > 0))('%s', { timeout: 120_000 }, async (path, text) => {
    const made = await render(text)
    if (process.env.HOOKLINE_WRITE_PAGES === '1') await writeFile(join(root, path), made)
    else expect(settled(text)).toBe(settled(made))
  })
})

test('the README and both first steps are checked', () => {
  const counts = Object.fromEntries(all.map(([path, text]) => [path, countMarked(text)]))
  expect(counts['README.md']).toBeGreaterThanOrEqual(3)
  expect(counts['docs/start/first-hook.md']).toBeGreaterThanOrEqual(4)
  expect(counts['docs/start/embed.md']).toBeGreaterThanOrEqual(2)
})

test('every deviation has its number, so that tests can name it', async () => {
  const text = await readFile(join(root, 'docs/guide/deviations.md'), 'utf8')
  const numbers = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 21 }, (_, at) => at + 1))
})

describe('a block that shows something else is found', () => {
  const block = (mark: string, body: string) => `<!-- ${mark} -->\n\`\`\`text\n${body}\`\`\`\n`

  test.each([
    ['another text than the file holds', block('file: examples/block-rm/.claude/hooks/block-rm.sh', 'echo no\n')],
    ['another output than the command prints', block('run: examples/block-rm', '$ echo one\ntwo\n')],
  ])('%s', async (_what, text) => {
    expect(settled(await render(text))).not.toBe(settled(text))
  })

  test.each([
    ['a region that is not there', block('file: examples/embed-in-your-agent/agent.js#nowhere', '')],
    ['another exit code than the page says', block('run: examples/block-rm', '$ exit 3 # exits 2\n')],
  ])('%s', async (_what, text) => {
    await expect(render(text)).rejects.toThrow(/region|exits with 3/)
  })
})
