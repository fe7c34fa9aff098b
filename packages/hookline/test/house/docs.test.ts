/** Documents keep their word: links lead somewhere, and commands they name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './reading.ts'

const folders = ['', 'docs', 'examples', 'packages/hookline']
const documents = folders
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: folder === 'docs' || folder === 'examples', withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort()

/** The text without fenced code, where brackets mean something else. */
const proseOf = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

/** The anchors that a page offers, as its reader's browser makes them. */
const anchorsOf = (text: string): string[] =>
  [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map((found) =>
    (found[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

test.each(documents)('%s: every link leads to a file and a heading that are there', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const broken = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map((found) => found[1] ?? '')
    .filter((link) => {
      if (/^[a-z]+:/i.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? join(root, document) : join(root, dirname(document), path)
      if (!existsSync(file)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
    })
  expect(broken).toEqual([])
})

test.each(documents)('%s: every npm script it names exists', (document) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const named = [...readFileSync(join(root, document), 'utf8').matchAll(/\bnpm run ([a-z][a-z:]*)/g)].map((found) => found[1] ?? '')
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})
