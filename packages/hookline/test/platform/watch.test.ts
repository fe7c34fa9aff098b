/** Watching settings files: writes, replacement, files and folders that come and go. */
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchFiles } from '../../src/platform/watch.ts'

let root = ''
let seen: string[][] = []
let stop = () => {}
const at = (name: string) => join(root, name)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'watch ')))
  seen = []
})
afterEach(() => {
  stop()
  rmSync(root, { recursive: true, force: true })
})

function start(...names: string[]) {
  stop = watchFiles(names.map(at), (paths) => void seen.push(paths.map((path) => path.slice(root.length + 1))))
}
const saw = (...expected: string[][]) => vi.waitFor(() => expect(seen).toEqual(expected), { timeout: 5_000, interval: 20 })
const quiet = () => new Promise((done) => setTimeout(done, 300))

describe('a watched file', () => {
  test('is reported when it is written, once for several writes', async () => {
    writeFileSync(at('a.json'), '1')
    start('a.json')
    for (const text of ['2', '3', '4']) writeFileSync(at('a.json'), text)
    await saw(['a.json'])
  })
  test('is reported again after it was replaced whole', async () => {
    writeFileSync(at('a.json'), '1')
    start('a.json')
    writeFileSync(at('tmp'), '2')
    renameSync(at('tmp'), at('a.json'))
    await saw(['a.json'])
    writeFileSync(at('a.json'), '3')
    await saw(['a.json'], ['a.json'])
  })
  test('is not reported when its content is the same, nor when others change', async () => {
    writeFileSync(at('a.json'), '1')
    start('a.json')
    writeFileSync(at('a.json'), '1')
    writeFileSync(at('other.json'), '1')
    await quiet()
    expect(seen).toEqual([])
  })
  test('is reported when it comes and when it goes', async () => {
    start('a.json')
    writeFileSync(at('a.json'), '1')
    await saw(['a.json'])
    rmSync(at('a.json'))
    await saw(['a.json'], ['a.json'])
  })
  test('is reported when its folder comes, goes and comes again', async () => {
    start('x/y/a.json')
    mkdirSync(at('x/y'), { recursive: true })
    writeFileSync(at('x/y/a.json'), '1')
    await saw(['x/y/a.json'])
    rmSync(at('x'), { recursive: true })
    await saw(['x/y/a.json'], ['x/y/a.json'])
    mkdirSync(at('x/y'), { recursive: true })
    writeFileSync(at('x/y/a.json'), '2')
    await saw(['x/y/a.json'], ['x/y/a.json'], ['x/y/a.json'])
  })
  test('that is a link is reported when its target changes', async () => {
    mkdirSync(at('dots'))
    writeFileSync(at('dots/real.json'), '1')
    symlinkSync(at('dots/real.json'), at('a.json'))
    start('a.json')
    writeFileSync(at('dots/real.json'), '2')
    await saw(['a.json'])
  })
  test('that is a folder is reported when a file in it changes', async () => {
    mkdirSync(at('d'))
    start('d')
    writeFileSync(at('d/10.json'), '1')
    await saw(['d'])
    writeFileSync(at('d/10.json'), '2')
    await saw(['d'], ['d'])
  })
  test('is not reported after the watch was stopped, which may be said twice', async () => {
    writeFileSync(at('a.json'), '1')
    start('a.json')
    writeFileSync(at('a.json'), '2')
    stop()
    stop()
    writeFileSync(at('a.json'), '3')
    await quiet()
    expect(seen).toEqual([])
  })
})
