/** The folder to start in, when the wanted one is gone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { pickFolder } from '../../src/process/working-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-folder-'))
writeFileSync(join(root, 'file'), '')
afterAll(() => rmSync(root, { recursive: true }))

describe('the folder a process starts in', () => {
  it.each<[name: string, wanted: (string | undefined)[], picked: string]>([
    ['is the wanted one', [root, '/'], root],
    ['is the next one when the wanted is gone', [join(root, 'gone'), '/'], '/'],
    ['is the next one when the wanted is a file', [join(root, 'file'), '/'], '/'],
    ['is the next one when none is wanted', [undefined, '', '/'], '/'],
    ['is home when all are gone', [join(root, 'gone'), undefined], homedir()],
  ])('%s', (_name, wanted, picked) => {
    expect(pickFolder(wanted)).toBe(picked)
  })

  it('is the one for temporary files when home is gone too', () => {
    const home = process.env.HOME
    process.env.HOME = join(root, 'no-home')
    try {
      expect(pickFolder([join(root, 'gone')])).toBe(tmpdir())
    } finally {
      process.env.HOME = home
    }
  })
})
