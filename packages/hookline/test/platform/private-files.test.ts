/** Files that only this user can read: long texts, and the variables of a session. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEnvFiles } from '../../src/platform/env-file.ts'
import { createSpill } from '../../src/platform/spill.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'private '))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))
const modes = (path: string) => [statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]

describe('a long text', () => {
  test('is stored whole in a file and a folder of its own', () => {
    const spill = createSpill(join(root, 'state'))
    const text = 'é😀'.repeat(10_000)
    const [one, two] = [spill.store(text), spill.store(text)]
    expect(one).not.toBe(two)
    expect(readFileSync(one ?? '', 'utf8')).toBe(text)
    expect(modes(one ?? '')).toEqual([0o600, 0o700])
    spill.clear()
    spill.clear()
    expect(existsSync(one ?? '')).toBe(false)
  })
  test('makes nothing before it comes', () => {
    createSpill(join(root, 'never'))
    expect(existsSync(join(root, 'never'))).toBe(false)
  })
  test('that cannot be removed stops nobody from closing', () => {
    const spill = createSpill(join(root, 'gone'))
    spill.store('x')
    renameSync(join(root, 'gone'), join(root, 'moved'))
    writeFileSync(join(root, 'gone'), '')
    spill.clear()
    expect(existsSync(join(root, 'moved'))).toBe(true)
  })
  test('goes to the temporary folder when its own cannot be made', () => {
    writeFileSync(join(root, 'file'), '')
    const spill = createSpill(join(root, 'file'))
    const path = spill.store('x') ?? ''
    expect(path.startsWith(tmpdir())).toBe(true)
    expect(modes(path)).toEqual([0o600, 0o700])
    spill.clear()
  })
})

describe('the variables of a session', () => {
  test('have one file each, whatever the session is called', () => {
    const files = createEnvFiles(join(root, 'env'))
    const ids = ['a', 'b', '../../x', 'a/b', '', 'x'.repeat(5_000)]
    const paths = ids.map((id) => files.of(id) ?? '')
    expect(new Set(paths).size).toBe(ids.length)
    expect(new Set(paths.map(dirname)).size).toBe(1)
    expect(files.of('a')).toBe(paths[0])
    expect(readFileSync(paths[0] ?? '', 'utf8')).toBe('')
    expect(modes(paths[0] ?? '')).toEqual([0o600, 0o700])
    files.clear()
    expect(paths.map((path) => existsSync(path))).toEqual(ids.map(() => false))
  })
})
