/** Folders that are there while somebody needs them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { holdPlace } from '../../src/process/sandbox-place.ts'

const base = mkdtempSync(join(tmpdir(), 'hookline-place-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let path: string
let count = 0
beforeEach(() => {
  path = join(base, `p${++count}`)
})
const isThere = () => readdirSync(base).includes(`p${count}`)

describe('a folder that is held', () => {
  it('is made, cannot be removed while it is, and is gone when the last has left', () => {
    const [first, second] = [holdPlace(path), holdPlace(path)]
    expect([first.isEmpty, second.isEmpty]).toEqual([true, true])
    first.release()
    expect(isThere()).toBe(true)
    second.release()
    expect(isThere()).toBe(false)
  })

  it('stays when somebody put something into it meanwhile', () => {
    const held = holdPlace(path)
    writeFileSync(join(path, 'settings.json'), '{}')
    held.release()
    expect(readdirSync(path)).toEqual(['settings.json'])
  })

  it('stays when it was there before, empty or not', () => {
    mkdirSync(path)
    const empty = holdPlace(path)
    expect(readdirSync(path)).toHaveLength(1)
    const other = holdPlace(path)
    empty.release()
    other.release()
    expect(readdirSync(path)).toEqual([])
    writeFileSync(join(path, 'mine'), '')
    const full = holdPlace(path)
    expect(full.isEmpty).toBe(false)
    full.release()
    expect(readdirSync(path)).toEqual(['mine'])
  })

  it('is taken away after a process that was killed while it held it', () => {
    const held = holdPlace(path)
    const [name = ''] = readdirSync(path)
    writeFileSync(join(path, name.replace(/-\d+-(\d+)-\d+$/, '-4194303-$1-1')), '')
    held.release()
    expect(readdirSync(path)).toHaveLength(1)
    holdPlace(path).release()
    expect(isThere()).toBe(false)
  })

  it('may be a file, which stays', () => {
    writeFileSync(path, 'x')
    const held = holdPlace(path)
    expect(held.isEmpty).toBe(false)
    held.release()
    expect(isThere()).toBe(true)
  })

  it('cannot be made where there is no folder for it', () => {
    expect(() => holdPlace(join(path, 'sub'))).toThrow(/ENOENT/)
  })
})
