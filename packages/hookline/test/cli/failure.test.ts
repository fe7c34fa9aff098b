/** How errors are said: the exit code of each, the place before the message, the hint below, a stack only for a defect and only when asked for. */
import { describe, expect, test } from 'vitest'
import { exits } from '../../src/cli/exits.ts'
import { Failure, report } from '../../src/cli/failure.ts'
import { type OutputForm, Terminal } from '../../src/cli/terminal.ts'
import { HooklineError } from '../../src/index.ts'

function said(error: unknown, { form = 'text', verbose = false }: { form?: OutputForm; verbose?: boolean } = {}) {
  const out: string[] = []
  const err: string[] = []
  const terminal = new Terminal({ form, color: false, env: {}, stdout: { write: (text) => out.push(text) }, stderr: { write: (text) => err.push(text) } })
  return { code: report(error, terminal, verbose), stdout: out.join(''), stderr: err.join('') }
}

describe('the exit code', () => {
  test.each<[what: string, error: unknown, code: number]>([
    ['an unknown event', new HooklineError('unknown-event', 'x'), exits.usage],
    ['an input that does not fit', new HooklineError('invalid-input', 'x'), exits.usage],
    ['an option that cannot be used', new HooklineError('invalid-option', 'x'), exits.usage],
    ['a policy that cannot be relied on', new HooklineError('policy-unreadable', 'x'), exits.findings],
    ['a use after the end, which is our own mistake', new HooklineError('closed', 'x'), exits.internal],
    ['words that cannot be read', new Failure('usage', 'x'), exits.usage],
    ['a failure with a code of its own', new Failure('x', 'x', { exit: exits.findings }), exits.findings],
    ['a defect', new TypeError('x is not a function'), exits.internal],
    ['something thrown that is no error', 'x', exits.internal],
  ])('of %s', (_what, error, code) => {
    expect(said(error).code).toBe(code)
  })

  test('is never 2', () => {
    expect(Object.entries(exits).filter(([, code]) => code === 2)).toEqual([['refused', 2]])
    expect(said(new Error('boom')).code).not.toBe(exits.refused)
  })
})

test('the place comes first and the hint last, without control characters', () => {
  const error = new HooklineError('policy-unreadable', 'the policy \u001b[31mdoes not parse', {
    file: '/etc/x.json',
    line: 3,
    column: 4,
    hint: 'Put it right.',
  })
  expect(said(error)).toEqual({ code: 1, stdout: '', stderr: 'hookline: /etc/x.json:3:4: the policy does not parse\n  Put it right.\n' })
})

test('a defect shows its stack with --verbose only', () => {
  expect(said(new TypeError('boom')).stderr).toMatch(/^hookline: internal error: boom\n {2}.*--verbose.*\n$/)
  expect(said(new TypeError('boom'), { verbose: true }).stderr).toMatch(/\n {4}at /)
  expect(said(new Failure('usage', 'x'), { verbose: true }).stderr).not.toMatch(/\n {4}at /)
})

test('the document has place and hint, and the exit code', () => {
  const error = new HooklineError('policy-unreadable', 'x', { file: 'a', line: 1, column: 2, hint: 'h' })
  const { stdout } = said(error, { form: 'document' })
  expect(JSON.parse(stdout)).toEqual({ version: 1, kind: 'error', code: 'policy-unreadable', message: 'x', hint: 'h', file: 'a', line: 1, column: 2, exit: 1 })
  expect(said(error, { form: 'lines' }).stdout.trimEnd().split('\n')).toHaveLength(1)
})
