/** What is written where: one document on stdout, notes on stderr, JSON that cannot steer a terminal, and output that is lost. */
import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { guardStreams, jsonText, Terminal, type Writer } from '../../src/cli/terminal.ts'

function screens(form: 'text' | 'document' | 'lines') {
  const out: string[] = []
  const err: string[] = []
  const terminal = new Terminal({
    form,
    color: true,
    env: {},
    stdout: { write: (text) => out.push(text) },
    stderr: { isTTY: true, write: (text) => err.push(text) },
  })
  return { terminal, out, err }
}

test.each([
  ['text', 'words\n'],
  ['document', '{\n  "a": [\n    1\n  ]\n}\n'],
  ['lines', '{"a":[1]}\n'],
] as const)('a result in the form %s', (form, printed) => {
  const { terminal, out, err } = screens(form)
  terminal.show({ a: [1] }, () => 'words')
  terminal.note('beside')
  expect([out.join(''), err.join('')]).toEqual([printed, 'beside\n'])
})

test('empty text prints no line, and each stream has colours of its own', () => {
  const { terminal, out } = screens('text')
  terminal.print('')
  expect(out).toEqual([])
  expect([terminal.paint.red('x'), terminal.notePaint.red('x')]).toEqual(['x', '\u001b[31mx\u001b[39m'])
  expect(terminal.live).toBeDefined()
})

test('JSON escapes what a terminal would obey, and means the same', () => {
  const value = { text: 'a\u009b31m\u001b[0m\u202eb\u2066c\u007f é 😀' }
  const text = jsonText(value)
  expect(text).toBe(String.raw`{"text":"a\u009b31m\u001b[0m\u202eb\u2066c\u007f é 😀"}`)
  expect(JSON.parse(text)).toEqual(value)
})

describe('output that cannot be written', () => {
  function writer(exitCode?: number) {
    const told: string[] = []
    const [stdout, stderr] = [new EventEmitter(), Object.assign(new EventEmitter(), { write: (text: string) => told.push(text) })]
    const process = Object.assign(new EventEmitter(), { stdout, stderr, exitCode }) as unknown as Writer & EventEmitter
    guardStreams(process)
    const lose = (code: string) => stdout.emit('error', Object.assign(new Error(code), { code }))
    const end = () => {
      process.emit('exit')
      return process.exitCode
    }
    return { told, lose, end }
  }

  test('because the reader left is no error', () => {
    const { told, lose, end } = writer(0)
    lose('EPIPE')
    expect([told, end()]).toEqual([[], 0])
  })

  test('because the disk is full is told once, and ends with 70', () => {
    const { told, lose, end } = writer(0)
    lose('ENOSPC')
    lose('ENOSPC')
    expect([told, end()]).toEqual([['hookline: the output cannot be written (ENOSPC).\n'], 70])
  })

  test('leaves a refusal a refusal', () => {
    const { lose, end } = writer(2)
    lose('ENOSPC')
    expect(end()).toBe(2)
  })
})
