/** Read, Write and Edit on real files: what they give, what they refuse, and the shapes that hooks see. */

import { execFileSync } from 'node:child_process'
import { chmod, readFile, stat, symlink, utimes } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { edit } from '../../src/tools/edit.ts'
import { read } from '../../src/tools/read.ts'
import { write } from '../../src/tools/write.ts'
import { openBench } from './bench.ts'

describe('Read', () => {
  it('numbers the lines and tells hooks how many there are', async () => {
    const bench = await openBench()
    const filePath = await bench.put('a.txt', 'one\n')
    expect(await bench.run(read, { file_path: filePath })).toEqual({
      response: { type: 'text', file: { filePath, content: 'one\n', numLines: 2, startLine: 1, totalLines: 2 } },
      text: '1\tone\n2\t',
    })
    expect(bench.touched).toEqual([filePath])
  })

  it.each([
    ['a name', 'a.txt'],
    ['a path with dots', './sub/../a.txt'],
    ['a path from home', '~/a.txt'],
  ])('takes %s and shows hooks the absolute path', async (_title, file_path) => {
    const bench = await openBench()
    await bench.put('a.txt', 'x')
    expect(read.normalize?.({ file_path }, bench.workspace)).toEqual({ file_path: bench.path('a.txt') })
    expect((await bench.run(read, { file_path })).text).toBe('1\tx')
  })

  it('gives a part, and says how much follows', async () => {
    const bench = await openBench()
    await bench.put('a.txt', 'a\nb\nc\nd')
    const { response, text } = await bench.run(read, { file_path: 'a.txt', offset: 2, limit: 2 })
    expect(response).toMatchObject({ file: { content: 'b\nc', numLines: 2, startLine: 2, totalLines: 4 } })
    expect(text).toBe('2\tb\n3\tc\n\n(1 more lines; read on with offset 4)')
  })

  it.each([
    ['an empty file', '', {}, /exists but the contents are empty/],
    ['an offset behind the end', 'a', { offset: 9 }, /shorter than the provided offset \(9\)/],
    ['a very long line', 'x'.repeat(3000), {}, /^1\tx{2000}… \[1000 characters left out\]$/],
    ['lines that end as in Windows', 'a\r\nb', {}, /^1\ta\n2\tb$/],
    ['a byte order mark', '\uFEFFa', {}, /^1\ta$/],
  ])('knows %s', async (_title, content, input, expected) => {
    const bench = await openBench()
    await bench.put('a.txt', content)
    expect((await bench.run(read, { file_path: 'a.txt', ...input })).text).toMatch(expected)
  })

  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

  it.each([
    ['p.PNG', png, 'image/png'],
    ['named-wrong.gif', png, 'image/png'],
    ['p.jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['p.gif', Buffer.from('GIF89a.'), 'image/gif'],
    ['p.webp', Buffer.from('RIFF\0\0\0\0WEBP'), 'image/webp'],
  ])('shows the picture %s as what it is', async (name, bytes, type) => {
    const bench = await openBench()
    await bench.put(name, bytes)
    const base64 = bytes.toString('base64')
    expect(await bench.run(read, { file_path: name })).toEqual({
      response: { type: 'image', file: { base64, type, originalSize: bytes.length } },
      text: `[${type}, ${bytes.length} bytes]`,
      media: [{ mediaType: type, data: base64 }],
    })
  })

  it('shows a PDF', async () => {
    const bench = await openBench()
    const filePath = await bench.put('a.pdf', '%PDF-1.4 …')
    const base64 = Buffer.from('%PDF-1.4 …').toString('base64')
    expect(await bench.run(read, { file_path: 'a.pdf' })).toMatchObject({
      response: { type: 'pdf', file: { filePath, base64, originalSize: 12 } },
      media: [{ mediaType: 'application/pdf', data: base64 }],
    })
  })

  it.each([
    ['a picture that is none', 'no.png', 'hello', /no\.png is named like a picture or a PDF and is none/],
    ['an empty one', 'empty.jpg', '', /is none/],
    ['one that no provider takes', 'large.png', Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]), /too large to be shown \(4\.0MB, at most 3\.8MB\)/],
  ])('refuses %s', async (_title, name, content, expected) => {
    const bench = await openBench()
    await bench.put(name, content)
    expect(await bench.fails(read, { file_path: name })).toMatch(expected)
  })

  it.each([
    [
      'a file that is not there, naming one that may be meant',
      'a.ts',
      /^File does not exist\. Note: your current working directory is .*Did you mean .*a\.txt\?$/,
    ],
    ['a folder', 'sub', /^EISDIR: illegal operation on a directory, read/],
    ['a binary file', 'b.bin', /cannot read binary files.*binary \.bin file/],
    ['a file that is too large', 'large.txt', /File content \(300KB\) exceeds maximum allowed size \(256KB\)/],
    ['a pipe, which would never answer', 'pipe', /not a regular file/],
    ['a device', '/dev/zero', /not a regular file/],
  ])('refuses %s', async (_title, file_path, expected) => {
    const bench = await openBench()
    await bench.put('a.txt', 'a')
    await bench.put('sub/x', '')
    await bench.put('b.bin', Buffer.from([1, 0, 2]))
    await bench.put('large.txt', 'x\n'.repeat(150 * 1024))
    execFileSync('mkfifo', [bench.path('pipe')])
    expect(await bench.fails(read, { file_path })).toMatch(expected)
  })
})

describe('Write', () => {
  it('creates a file and the folders on the way', async () => {
    const bench = await openBench()
    const filePath = bench.path('new/w.txt')
    expect(await bench.run(write, { file_path: 'new/w.txt', content: 'x' })).toEqual({
      response: { type: 'create', filePath, content: 'x', structuredPatch: [], originalFile: null, userModified: false },
      text: `File created successfully at: ${filePath} (file state is current in your context — no need to Read it back)`,
    })
    expect(await readFile(filePath, 'utf8')).toBe('x')
  })

  it('replaces a file that was read, keeps its mode and link, and shows the difference', async () => {
    const bench = await openBench()
    await bench.put('real.sh', 'a\nb\n')
    await chmod(bench.path('real.sh'), 0o755)
    await symlink(bench.path('real.sh'), bench.path('link.sh'))
    await bench.run(read, { file_path: 'link.sh' })
    const { response } = await bench.run(write, { file_path: 'link.sh', content: 'a\nc\n' })
    expect(response).toEqual({
      type: 'update',
      filePath: bench.path('link.sh'),
      content: 'a\nc\n',
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' a', '-b', '+c'] }],
      originalFile: 'a\nb\n',
      userModified: false,
    })
    expect([await readFile(bench.path('real.sh'), 'utf8'), (await stat(bench.path('real.sh'))).mode & 0o777]).toEqual(['a\nc\n', 0o755])
  })

  it('may write again what it wrote itself', async () => {
    const bench = await openBench()
    await bench.run(write, { file_path: 'w', content: '1' })
    await bench.run(write, { file_path: 'w', content: '2' })
    expect(await readFile(bench.path('w'), 'utf8')).toBe('2')
  })

  it.each([
    ['was not read', async () => undefined, /File has not been read yet/],
    ['changed since it was read', async (file: string) => utimes(file, 1, 1), /modified since read/],
  ])('refuses a file that %s', async (_title, between, expected) => {
    const bench = await openBench()
    const file = await bench.put('w', 'old')
    if (String(expected).includes('since')) await bench.run(read, { file_path: 'w' })
    await between(file)
    expect(await bench.fails(write, { file_path: 'w', content: 'new' })).toMatch(expected)
    expect(await readFile(file, 'utf8')).toBe('old')
  })

  it('refuses a folder', async () => {
    const bench = await openBench()
    await bench.put('sub/x', '')
    expect(await bench.fails(write, { file_path: 'sub', content: '' })).toMatch(/EISDIR/)
  })
})

describe('Edit', () => {
  it('replaces the one occurrence and shows hooks the whole change', async () => {
    const bench = await openBench()
    const filePath = await bench.put('a.txt', 'one\nA\nthree\n')
    await bench.run(read, { file_path: filePath })
    expect(await bench.run(edit, { file_path: filePath, old_string: 'A', new_string: 'B' })).toEqual({
      response: {
        filePath,
        oldString: 'A',
        newString: 'B',
        originalFile: 'one\nA\nthree\n',
        structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-A', '+B', ' three'] }],
        userModified: false,
        replaceAll: false,
      },
      text: `The file ${filePath} has been updated successfully. (file state is current in your context — no need to Read it back)`,
    })
    expect(await readFile(filePath, 'utf8')).toBe('one\nB\nthree\n')
  })

  it.each([
    ['all occurrences on request', 'a b a', { old_string: 'a', new_string: '$&c', replace_all: true }, '$&c b $&c'],
    ['text of several lines', 'a\nb\nc', { old_string: 'a\nb', new_string: 'x' }, 'x\nc'],
    ['lines of a file with Windows’ line ends, and keeps them', 'a\r\nb\r\nc', { old_string: 'a\nb', new_string: 'x\ny' }, 'x\r\ny\r\nc'],
    ['text and leaves a byte order mark alone', '\uFEFFa', { old_string: 'a', new_string: 'b' }, '\uFEFFb'],
    ['text by nothing', 'ab', { old_string: 'b', new_string: '' }, 'a'],
    ['the nothing of an empty file', '', { old_string: '', new_string: 'x' }, 'x'],
  ])('replaces %s', async (_title, before, input, after) => {
    const bench = await openBench()
    await bench.put('a.txt', before)
    await bench.run(read, { file_path: 'a.txt' })
    await bench.run(edit, { file_path: 'a.txt', ...input })
    expect(await readFile(bench.path('a.txt'), 'utf8')).toBe(after)
  })

  it('creates a file when nothing is to be replaced', async () => {
    const bench = await openBench()
    await bench.run(edit, { file_path: 'new.txt', old_string: '', new_string: 'x' })
    expect(await readFile(bench.path('new.txt'), 'utf8')).toBe('x')
  })

  it.each([
    ['a file that was not read', 'a', { old_string: 'a', new_string: 'b' }, false, /has not been read yet/],
    ['text that is not there', 'a', { old_string: 'z', new_string: 'b' }, true, /^String to replace not found in file\.\nString: z$/],
    ['text that is there twice', 'a a', { old_string: 'a', new_string: 'b' }, true, /^Found 2 matches of the string to replace, but replace_all is false/],
    ['a change that changes nothing', 'a', { old_string: 'a', new_string: 'a' }, true, /exactly the same/],
    ['to create what is there', 'a', { old_string: '', new_string: 'b' }, true, /file already exists/],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff]), { old_string: 'a', new_string: 'b' }, true, /not UTF-8/],
  ])('refuses %s', async (_title, before, input, readFirst, expected) => {
    const bench = await openBench()
    const file = await bench.put('a.txt', before)
    if (readFirst) await bench.run(read, { file_path: 'a.txt' })
    expect(await bench.fails(edit, { file_path: 'a.txt', ...input })).toMatch(expected)
    expect(await readFile(file)).toEqual(Buffer.from(before))
  })

  it('refuses a file that is not there', async () => {
    const bench = await openBench()
    expect(await bench.fails(edit, { file_path: 'a.txt', old_string: 'a', new_string: 'b' })).toMatch(/^File does not exist/)
  })
})
