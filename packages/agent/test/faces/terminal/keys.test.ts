/** The keyboard of the prompt line: what is pasted is one text and no key. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createKeys } from '../../../src/faces/terminal/keys.ts'

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

test.each<[string, string[], string]>([
  ['keys', ['go', '\r'], 'go\r'],
  ['a paste of several lines', [paste('one\ntwo\r\nthree\rfour'), '\r'], 'one␤two␤three␤four\r'],
  ['a paste that comes in pieces, marks too', ['a\u001b[20', '0~one\n', 'two\u001b[2', '01~b'], 'aone␤twob'],
  ['a paste whose end comes in pieces', ['\u001b[200~a\r\u001b[20', '1~b\r'], 'a␤b\r'],
  ['a paste with keys in it', [paste('a\tb\u0003\u001b[A\u0004c')], 'a    b[Ac'],
  ['two pastes', [`${paste('a\n')}x${paste('\nb')}`], 'a␤x␤b'],
  ['Alt-Enter, and Shift-Enter where a terminal tells', ['a\u001b\rb', '\u001b[13;2uc'], 'a␤b␤c'],
  ['an Enter from before the terminal was ours', ['typed ahead\n'], 'typed ahead\n'],
  ['arrow keys', ['\u001b[A', '\u001b[B'], '\u001b[A\u001b[B'],
  ['a character in two pieces', ['é'], 'é'],
])('hands on %s', async (_, chunks, expected) => {
  const stdin = new PassThrough()
  const keys = createKeys(stdin)
  let got = ''
  keys.on('data', (text: Buffer) => (got += text.toString('utf8')))
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    if (chunk === 'é') for (const byte of bytes) stdin.write(Buffer.from([byte]))
    else stdin.write(bytes)
  }
  await new Promise((done) => setImmediate(done))
  expect(got).toBe(expected)
})
