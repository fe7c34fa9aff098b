/** Generated files are what the table says today, and the pages leave no event and no field out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generated, generatedFolder } from '../../../../scripts/generate/generated.ts'
import { codes } from '../../src/config/codes.ts'
import { eventNames, rowOf } from '../../src/protocol/events.ts'
import { root } from './reading.ts'

const files = generated()

test.each([...files.keys()])('%s is current: "npm run generate" would not change it', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(files.get(path))
})

test('no generated page is left over from a code that is gone', () => {
  const pages = readdirSync(join(root, generatedFolder)).map((name) => `${generatedFolder}/${name}`)
  expect(pages.filter((path) => !files.has(path))).toEqual([])
})

test('every code of a finding has a page', () => {
  expect(Object.keys(codes).filter((code) => !existsSync(join(root, generatedFolder, `${code}.md`)))).toEqual([])
})

test.each(eventNames)('the page of events has a part for %s, with every field of its input', (name) => {
  const part =
    files
      .get('docs/reference/events.md')
      ?.split('\n### ')
      .find((one) => one.startsWith(`${name}\n`)) ?? ''
  expect(part).toContain(rowOf(name)?.summary)
  for (const field of Object.keys(rowOf(name)?.input ?? {})) expect(part).toContain(`| \`${field}\` |`)
})

test('a generated page says that it is generated, and from what', () => {
  for (const [path, text] of files) if (path.endsWith('.md')) expect(text.split('\n')[2], path).toMatch(/^<!-- Made by "npm run generate" from .* -->$/)
})
