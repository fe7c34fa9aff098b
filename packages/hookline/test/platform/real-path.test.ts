/** Where a path really leads: through links, links to nothing, and files that are not there. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { momentOf, realPathOf, twinOf } from '../../src/platform/real-path.ts'

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

const places: [what: string, path: string, real: string | undefined][] = [
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
  ['a link to a folder, with a slash at its end', 'folder/', 'a'],
  ['a file behind that', 'folder//file', 'a/file'],
  ['the folder that a link leads to', 'folder/.', 'a'],
]

test.each(places)('%s', (_, path, real) => {
  expect(realPathOf(at(path))).toBe(real === undefined ? undefined : at(real))
})

test.each(places)('%s, in one moment', (_, path, real) => {
  // Folders that are known already are not asked about again; the answer is the same whatever was asked before.
  for (const before of [[], [''], ['', 'a', 'folder', 'a/up'], places.map(([, other]) => other), places.map(([, other]) => other).reverse()]) {
    const moment = momentOf()
    for (const other of before) moment.realPath(at(other))
    for (let again = 0; again < 2; again++) expect(moment.realPath(at(path)), before.join(' ')).toBe(real === undefined ? undefined : at(real))
  }
})

test('a path that was there and is a link, or nothing, the next time', () => {
  const path = at('changing')
  const seen = []
  for (const make of [() => writeFileSync(path, ''), () => symlinkSync('a/file', path), () => {}, () => mkdirSync(path), () => symlinkSync('gone', path)]) {
    make()
    for (let again = 0; again < 2; again++) seen.push(realPathOf(path))
    rmSync(path, { recursive: true, force: true })
  }
  expect(seen.map((one) => one?.slice(root.length + 1))).toEqual(['changing', 'a/file', 'changing', 'changing', 'gone'].flatMap((one) => [one, one]))
})

test('the same file under another name is found, in one moment too', () => {
  writeFileSync(at('first'), '')
  linkSync(at('first'), at('second'))
  for (const before of [[], [''], ['second']]) {
    const moment = momentOf()
    for (const other of before) moment.realPath(at(other))
    const [real, other] = [moment.realPath(at('second')) as string, moment.realPath(at('a/file')) as string]
    expect(moment.twin(real, [at('a/file'), at('first')])).toBe(at('first'))
    expect([moment.twin(other, [at('first')]), moment.twin(moment.realPath(at('new')) as string, [at('first')])]).toEqual([undefined, undefined])
  }
  expect(twinOf(at('second'), [at('first')])).toBe(at('first'))
})

test('what is no absolute path leads nowhere', () => {
  expect([realPathOf('a'), realPathOf(''), realPathOf('/x\0y')]).toEqual([undefined, undefined, undefined])
})
