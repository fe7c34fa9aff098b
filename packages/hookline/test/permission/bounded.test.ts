/** No command makes reading it long work, and what was not read counts as anything. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeRules, type ListedRule } from '../../src/permission/judge-rules.ts'
import { matchRule } from '../../src/permission/match-rule.ts'
import { parseRule } from '../../src/permission/parse-rule.ts'
import { compilePattern, couldMatch } from '../../src/permission/shell/pattern.ts'
import { readShell } from '../../src/permission/shell/read.ts'
import { UNKNOWN } from '../../src/permission/shell/word.ts'

const bash = (command: string) => ({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/someone' })

describe('as long as a command may be, and made of one thing', () => {
  // Each of them was the slowest of its kind: what runs in it runs something again, or could be anything.
  const pieces = [
    'find . -exec ',
    'eval ',
    '$(',
    '$((',
    'A=$(',
    '$X ',
    '>( ',
    'f() { ',
    'a|',
    'a&',
    '<<A ',
    '* ',
    'xargs ',
    'sudo ',
    'env ',
    'git -C ',
    'parallel ',
    '`',
  ]
  test.each(pieces)('%s', (piece) => {
    const command = piece.repeat(Math.ceil(9_990 / piece.length)).slice(0, 9_990)
    const began = performance.now()
    const { deny, allow } = matchRule('Bash(git push *)', bash(command))
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(allow).toBe(false)
    const reading = readShell(command)
    // The work is bounded because what is kept is.
    expect(reading.candidates.reduce((sum, { line }) => sum + line.length, 0)).toBeLessThan(420_000)
    if (reading.cut) expect(deny).toBe(true)
  })
})

describe('what was not read could write any file', () => {
  const deny = (text: string): ListedRule => {
    const parsed = parseRule(text)
    if (parsed.kind === 'fault') throw new Error(parsed.message)
    return { list: 'deny', rule: parsed.rule }
  }
  test.each([
    ['behind more parts than are read', `${'true; '.repeat(600)}echo x > .env`],
    ['behind more characters than are read', `${'true;'.repeat(4_100)}echo x > .env`],
    ['nested too deeply', `${'$('.repeat(70)}echo x > .env${')'.repeat(70)}`],
    ['in what is no shell text', 'echo x > .env; ls $('],
  ])('%s', (_, command) => {
    expect(judgeRules([deny('Edit(.env)')], bash(command)).behavior).toBe('deny')
  })

  test('a command that was read whole writes what it writes', () => {
    expect(judgeRules([deny('Edit(.env)')], bash(`${'true; '.repeat(100)}echo x > out`)).behavior).toBe('passthrough')
  })
})

/** The same question, by trying everything. */
function meet(form: string, line: string): boolean {
  const [f, l] = [form[0], line[0]]
  if (f === undefined && l === undefined) return true
  if (f === '*') return meet(form.slice(1), line) || (l !== undefined && meet(form, line.slice(1)))
  if (l === UNKNOWN) return meet(form, line.slice(1)) || (f !== undefined && meet(form.slice(1), line))
  return f !== undefined && f === l && meet(form.slice(1), line.slice(1))
}

test('a line with open stretches could be covered exactly when some filling of them is', () => {
  const letter = fc.constantFrom('a', 'b', ' ')
  const form = fc.array(fc.oneof(letter, fc.constant('*')), { minLength: 1, maxLength: 6 }).map((all) => `x${all.join('')}y`)
  const line = fc.array(fc.oneof(letter, fc.constant(UNKNOWN)), { maxLength: 7 }).map((all) => all.join(''))
  fc.assert(
    fc.property(
      form,
      fc.oneof(
        line,
        line.map((text) => `x${text}`),
        line.map((text) => `x${text}y`),
      ),
      (text, one) => {
        const { forms, text: plain } = compilePattern(text)
        fc.pre(one.includes(UNKNOWN) && forms.length === 1)
        expect(couldMatch(compilePattern(text), one), `${plain} and ${one}`).toBe(meet(plain.replace(/\*+/g, '*'), one))
      },
    ),
    { numRuns: 3_000 },
  )
})
