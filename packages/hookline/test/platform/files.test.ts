/** Files of this machine: every way of failing is told apart. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFiles } from '../../src/platform/files.ts'

let root = ''
const files = createFiles()
const at = (name: string) => join(root, name)

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'files ')))
  writeFileSync(at('text'), '\uFEFFé {}\r\n', { mode: 0o644 })
  writeFileSync(at('open'), 'x')
  chmodSync(at('open'), 0o666)
  writeFileSync(at('latin1'), Buffer.from([0x63, 0xe9]))
  writeFileSync(at('utf16'), Buffer.from([0xff, 0xfe, 0x7b, 0x00]))
  writeFileSync(at('large'), 'x'.repeat(101))
  mkdirSync(at('folder'))
  writeFileSync(at('folder/b'), '')
  writeFileSync(at('folder/a'), '')
  symlinkSync(at('text'), at('link'))
  symlinkSync(at('gone'), at('dangling'))
  symlinkSync(at('loop'), at('loop'))
  execFileSync('mkfifo', [at('pipe')])
  writeFileSync(at('folder/prog'), '#!/bin/sh\n', { mode: 0o755 })
})
afterAll(() => rmSync(root, { recursive: true }))

describe('reading', () => {
  const rows: [name: string, expected: object][] = [
    ['text', { kind: 'text', text: '\uFEFFé {}\r\n', writableByOthers: false, owner: process.getuid?.() }],
    ['open', { kind: 'text', writableByOthers: true }],
    ['gone', { kind: 'missing' }],
    ['text/under-a-file', { kind: 'missing' }],
    ['dangling', { kind: 'missing', link: true }],
    ['folder', { kind: 'directory' }],
    ['latin1', { kind: 'unreadable', why: 'it is not UTF-8 text' }],
    ['utf16', { kind: 'unreadable', why: expect.stringContaining('UTF-16') }],
    ['large', { kind: 'too-large', bytes: 101 }],
    ['loop', { kind: 'unreadable', why: 'too many symbolic links' }],
    ['pipe', { kind: 'unreadable', why: 'it is no ordinary file' }],
  ]
  test.each(rows)('%s', async (name, expected) => {
    expect(await files.read(at(name), 100)).toMatchObject(expected)
  })
  test('a file as long as the limit is read whole', async () => {
    expect(await files.read(at('large'), 101)).toMatchObject({ kind: 'text', text: 'x'.repeat(101) })
  })
  test('follows links and says where the file really is', async () => {
    expect(await files.read(at('link'), 100)).toMatchObject({ realPath: at('text') })
    expect(await files.realPath(at('link'))).toBe(at('text'))
    expect(await files.realPath(at('dangling'))).toBeUndefined()
  })
})

test('a folder is listed in the order of its names', async () => {
  expect(await files.list(at('folder'))).toEqual({ kind: 'names', names: ['a', 'b', 'prog'] })
  expect(await files.list(at('gone'))).toEqual({ kind: 'missing' })
  expect(await files.list(at('text'))).toEqual({ kind: 'missing' })
  expect(await files.list(at('loop'))).toEqual({ kind: 'unreadable', why: 'too many symbolic links' })
})

test('programs are looked for on the path that was given', () => {
  const { onPath } = createFiles({ env: { PATH: at('folder') } })
  expect([onPath?.('prog'), onPath?.('a'), onPath?.('sh')]).toEqual([true, false, false])
  expect(createFiles({ env: {} }).onPath?.('sh')).toBe(false)
})
