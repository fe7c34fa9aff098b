/** Programs are looked up as the system does it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../src/process/find-program.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline find '))
for (const folder of ['one', 'two', 'two/dir', 'work/local']) mkdirSync(join(root, folder), { recursive: true })
const put = (path: string, mode: number) => {
  writeFileSync(join(root, path), '#!/bin/sh\n')
  chmodSync(join(root, path), mode)
}
put('one/plain', 0o644)
put('two/plain', 0o755)
put('one/both', 0o755)
put('two/both', 0o755)
put('work/local/near', 0o755)
put('work/here', 0o755)
put('two/tool.exe', 0o755)
afterAll(() => rmSync(root, { recursive: true }))

describe('looking a program up', () => {
  const path = `${root}/one:${root}/two:local::/no/such/folder`
  const cwd = join(root, 'work')
  it.each<[name: string, program: string, found: string | undefined]>([
    ['takes the first folder of PATH that has it', 'both', `${root}/one/both`],
    ['passes over a file that may not be executed', 'plain', `${root}/two/plain`],
    ['passes over a folder of that name', 'dir', undefined],
    ['reads a relative entry of PATH from the folder the program starts in', 'near', `${root}/work/local/near`],
    ['reads an empty entry of PATH as that folder itself', 'here', `${root}/work/here`],
    ['leaves a name with a slash alone', './nothing/here', './nothing/here'],
    ['finds nothing for a name that is nowhere', 'no-such-program', undefined],
  ])('%s', (_name, program, found) => {
    expect(findProgram(program, { cwd, path })).toBe(found)
  })

  it('has the folders of the system when PATH is not set', () => {
    expect(findProgram('sh', { cwd, path: undefined })).toMatch(/^\/(usr\/)?bin\/sh$/)
  })
})
