/** Where a path really leads: through links, links to nothing, and files that are not there. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { realPathOf } from '../../src/platform/real-path.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-real-path-')))
afterAll(() => rmSync(root, { recursive: true }))
const at = (path: string) => `${root}/${path}`
mkdirSync(at('a/b'), { recursive: true })
mkdirSync(at('other'))
writeFileSync(at('a/file'), '')
symlinkSync(at('a/file'), at('link'))
symlinkSync('a', at('folder'))
symlinkSync('nowhere/yet', at('dangling'))
symlinkSync('dangling', at('to-dangling'))
symlinkSync('../other', at('a/up'))
symlinkSync('loop', at('loop'))

test.each<[what: string, path: string, real: string | undefined]>([
  ['a file', 'a/file', 'a/file'],
  ['a link to a file', 'link', 'a/file'],
  ['a file behind a link to its folder', 'folder/file', 'a/file'],
  ['a file that is not there', 'a/new', 'a/new'],
  ['a file that is not there behind a link', 'folder/b/new/deep', 'a/b/new/deep'],
  ['a link to what is not there', 'dangling', 'nowhere/yet'],
  ['a link to such a link', 'to-dangling', 'nowhere/yet'],
  ['below a link to what is not there', 'dangling/x', 'nowhere/yet/x'],
  ['a relative link that goes up', 'a/up/x', 'other/x'],
  ['the folder above where a link leads', 'a/up/../a/file', 'a/file'],
  ['the folder above where a link leads, of what is not there', 'folder/b/../new', 'a/new'],
  ['a file taken for a folder', 'a/file/x', 'a/file/x'],
  ['a link to itself', 'loop', undefined],
])('%s', (_, path, real) => {
  expect(realPathOf(at(path))).toBe(real === undefined ? undefined : at(real))
})

test('what is no absolute path leads nowhere', () => {
  expect([realPathOf('a'), realPathOf(''), realPathOf('/x\0y')]).toEqual([undefined, undefined, undefined])
})
