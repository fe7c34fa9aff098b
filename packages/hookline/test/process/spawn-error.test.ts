/** Reasons in words for a program that did not start. */
import { describe, expect, it } from 'vitest'
import { explainSpawnError } from '../../src/process/spawn-error.ts'

const attempt = { program: '/opt/guard', args: [], cwd: '/' }

describe('why a program could not be started', () => {
  // Codes that a test cannot bring about here; those it can are tried for real in run.test.ts.
  it.each([
    ['ENOEXEC', /^ENOEXEC: "\/opt\/guard" is not a program this machine can run/],
    ['EAGAIN', /^EAGAIN: the system has no room for another process/],
    ['ENOMEM', /^ENOMEM: /],
    ['ENFILE', /^ENFILE: /],
    ['EPERM', /^EPERM: /],
    ['ETXTBSY', /^ETXTBSY: "\/opt\/guard" is being written/],
    ['ENAMETOOLONG', /^ENAMETOOLONG: /],
    ['EWHATEVER', /^EWHATEVER: the system could not start "\/opt\/guard"$/],
  ])('%s is told in words, code first', (code, words) => {
    expect(explainSpawnError(code, attempt)).toMatch(words)
  })

  it('never repeats a long command in full', () => {
    expect(explainSpawnError('EPERM', { ...attempt, program: 'x'.repeat(100_000) }).length).toBeLessThan(400)
  })
})
