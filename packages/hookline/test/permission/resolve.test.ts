/** The join of verdict, rules and mode: who wins, what each reader is told, and what an answer does. */
import { describe, expect, test } from 'vitest'
import { HooklineError } from '../../src/errors.ts'
import type { Permissions } from '../../src/index.ts'
import { resolvePermission } from '../../src/permission/resolve.ts'
import { verdictOf } from './verdicts.ts'

const ask = (): never => {
  throw new Error('nobody is asked here')
}
type Said = Parameters<typeof verdictOf>[0][number]
const says: Record<string, Said[]> = {
  nothing: [],
  allow: [{ permission: 'allow', reason: 'trusted' }],
  ask: [{ permission: 'ask', reason: 'money moves' }],
  defer: [{ permission: 'defer' }],
  deny: [{ permission: 'deny', reason: 'no pushing' }],
  block: [{ block: 'no pushing' }],
  stop: [{ stop: 'enough' }],
}

type Row = [hooks: keyof typeof says, permissions: Partial<Permissions>, behavior: string, cause: string]

describe('who decides', () => {
  test.each<Row>([
    ['nothing', {}, 'passthrough', 'no-opinion'],
    ['nothing', { ask }, 'passthrough', 'no-opinion'],
    ['allow', {}, 'allow', 'hook'],
    ['deny', { rules: { allow: ['Bash'] }, mode: 'bypassPermissions' }, 'deny', 'hook'],
    ['block', {}, 'deny', 'hook'],
    ['stop', { mode: 'bypassPermissions' }, 'deny', 'hook'],
    ['allow', { rules: { deny: ['Bash(git push *)'] } }, 'deny', 'rule'],
    ['ask', { rules: { deny: ['Bash(git push *)'] }, ask }, 'deny', 'rule'],
    ['defer', { rules: { deny: ['Bash(git push *)'] } }, 'deny', 'rule'],
    ['defer', { rules: { ask: ['Bash'] } }, 'defer', 'hook'],
    ['allow', { rules: { ask: ['Bash(git push *)'] }, ask }, 'ask', 'rule'],
    ['allow', { rules: { ask: ['Bash(git push *)'] } }, 'deny', 'nobody-to-ask'],
    ['nothing', { rules: { ask: ['Bash(git push *)'] }, mode: 'bypassPermissions', ask: 'return' }, 'ask', 'rule'],
    ['ask', {}, 'deny', 'nobody-to-ask'],
    ['ask', { ask }, 'ask', 'hook'],
    ['ask', { ask: 'return' }, 'ask', 'hook'],
    ['ask', { ask, mode: 'bypassPermissions' }, 'ask', 'hook'],
    ['ask', { ask, mode: 'auto', classify: () => 'allow' }, 'ask', 'hook'],
    ['ask', { ask, rules: { allow: ['Bash'] } }, 'ask', 'hook'],
    ['ask', { ask, mode: 'dontAsk' }, 'deny', 'mode'],
    ['allow', { mode: 'dontAsk' }, 'allow', 'hook'],
    ['nothing', { mode: 'dontAsk', ask }, 'deny', 'mode'],
    ['nothing', { mode: 'dontAsk', rules: { allow: ['Bash(git push *)'] } }, 'allow', 'rule'],
    ['nothing', { mode: 'default', rules: { allow: ['Bash(git push *)'] } }, 'allow', 'rule'],
    ['nothing', { rules: { allow: ['Bash(git push *)'] } }, 'allow', 'rule'],
    ['nothing', { mode: 'default', ask }, 'ask', 'mode'],
    ['nothing', { mode: 'default' }, 'deny', 'nobody-to-ask'],
    ['nothing', { mode: () => 'bypassPermissions' }, 'allow', 'mode'],
    ['nothing', { mode: 'plan', kindOf: () => 'edit', rules: { allow: ['Bash'] } }, 'deny', 'mode'],
    ['allow', { mode: 'plan', kindOf: () => 'edit' }, 'deny', 'mode'],
    ['defer', { mode: 'plan', kindOf: () => 'edit' }, 'deny', 'mode'],
    ['defer', { mode: 'dontAsk' }, 'defer', 'hook'],
    ['nothing', { mode: 'plan', kindOf: () => 'read' }, 'allow', 'mode'],
    ['nothing', { mode: 'acceptEdits', kindOf: () => 'edit' }, 'allow', 'mode'],
    ['nothing', { mode: 'auto', classify: () => 'allow' }, 'allow', 'classifier'],
    ['nothing', { mode: 'auto', classify: () => ({ behavior: 'deny', reason: 'odd' }) }, 'deny', 'classifier'],
    ['nothing', { mode: 'auto', classify: () => 'ask', ask }, 'ask', 'mode'],
    ['nothing', { mode: 'auto', classify: () => Promise.reject(new Error('down')) }, 'deny', 'nobody-to-ask'],
    ['nothing', { mode: 'auto', classify: () => 'deny', rules: { allow: ['Bash'] } }, 'allow', 'rule'],
    ['nothing', { rules: () => 'allow' }, 'allow', 'rule'],
    ['nothing', { rules: () => Promise.resolve({ behavior: 'deny', reason: 'no' }) }, 'deny', 'rule'],
    ['allow', { rules: () => 'ask', ask }, 'ask', 'rule'],
    ['nothing', { rules: () => 'defer' }, 'defer', 'rule'],
    ['nothing', { rules: () => 'passthrough' }, 'passthrough', 'no-opinion'],
    ['allow', { rules: () => Promise.reject(new Error('down')) }, 'deny', 'nobody-to-ask'],
    ['allow', { rules: () => Promise.reject(new Error('down')), ask }, 'ask', 'rule'],
    ['allow', { rules: (() => 'yes') as never }, 'deny', 'nobody-to-ask'],
    ['allow', { rules: (() => undefined) as never }, 'deny', 'nobody-to-ask'],
  ])('hooks say %s, permissions %o: %s by %s', async (hooks, permissions, behavior, cause) => {
    const permit = await resolvePermission(await verdictOf(says[hooks] ?? []), permissions)
    expect({ behavior: permit.behavior, cause: permit.cause }).toEqual({ behavior, cause })
    expect(permit.question === undefined).toBe(behavior !== 'ask')
  })
})

describe('what each reader is told', () => {
  test("a hook's deny goes to the model, once", async () => {
    const permit = await resolvePermission(await verdictOf(says['deny'] ?? []), {})
    expect(permit.toModel.split('no pushing')).toHaveLength(2)
    expect(permit).toMatchObject({ reason: 'no pushing', toUser: '' })
  })

  test("a rule's deny goes to the model and names the rule", async () => {
    const permit = await resolvePermission(await verdictOf([]), { rules: { deny: ['Bash(git push *)'] } })
    expect(permit.toModel).toContain('"Bash(git push *)"')
    expect(permit.toUser).toBe('')
  })

  test('an ask goes to the person', async () => {
    const permit = await resolvePermission(await verdictOf(says['ask'] ?? []), { ask })
    expect(permit.toUser).toContain('money moves')
    expect(permit.toModel).toBe('')
    expect(permit.question).toMatchObject({
      reason: 'money moves',
      cause: 'hook',
      by: ['code:PreToolUse:0:0'],
      suggestions: [],
      call: { name: 'Bash', input: { command: 'git push origin' }, id: 'tu-1' },
    })
  })

  test('with nobody to ask the model learns why the call did not run', async () => {
    const permit = await resolvePermission(await verdictOf(says['ask'] ?? []), {})
    expect(permit).toMatchObject({ reason: 'money moves', toModel: 'money moves' })
  })

  test("a stop's reason is the person's, not the model's", async () => {
    const permit = await resolvePermission(await verdictOf(says['stop'] ?? []), {})
    expect(permit.toModel).not.toContain('enough')
    expect(permit.stop?.reason).toBe('enough')
  })

  test('suggestions come from the host', async () => {
    const suggestion = { type: 'setMode', mode: 'acceptEdits', destination: 'session' } as const
    const permit = await resolvePermission(await verdictOf([]), { mode: 'default', ask, suggest: () => [suggestion] })
    expect(permit.question?.suggestions).toEqual([suggestion])
  })
})

describe('the rewritten input is what counts', () => {
  test('a rewrite into a denied command is denied, and the call holds the rewrite', async () => {
    const verdict = await verdictOf([{ permission: 'allow', updatedInput: { command: 'curl x' } }])
    const permit = await resolvePermission(verdict, { rules: { deny: ['Bash(curl *)'] } })
    expect(permit).toMatchObject({ behavior: 'deny', cause: 'rule', call: { input: { command: 'curl x' } } })
  })

  test('a rewrite out of a denied command is not', async () => {
    const verdict = await verdictOf([{ updatedInput: { command: 'git status' } }])
    expect((await resolvePermission(verdict, { rules: { deny: ['Bash(git push *)'], allow: ['Bash(git *)'] } })).behavior).toBe('allow')
  })
})

describe('an answer', () => {
  const asked = async (rules: { deny?: string[]; ask?: string[] } = {}) => resolvePermission(await verdictOf(says['ask'] ?? []), { ask: 'return', rules })

  test('a yes allows', async () => {
    expect(await (await asked()).answer({ behavior: 'allow' })).toMatchObject({ behavior: 'allow', cause: 'person' })
  })
  test('a no denies, with its message to the model', async () => {
    expect(await (await asked()).answer({ behavior: 'deny', message: 'not today', interrupt: true })).toMatchObject({
      behavior: 'deny',
      cause: 'person',
      reason: 'not today',
      toModel: 'not today',
      interrupt: true,
    })
  })
  test('a yes with a rewrite is looked at again: a deny rule holds', async () => {
    expect(await (await asked({ deny: ['Bash(curl *)'] })).answer({ behavior: 'allow', updatedInput: { command: 'curl x' } })).toMatchObject({
      behavior: 'deny',
      cause: 'rule',
      call: { input: { command: 'curl x' } },
    })
  })
  test('a rewrite that another ask rule is about asks anew', async () => {
    expect(await (await asked({ ask: ['Bash(curl *)'] })).answer({ behavior: 'allow', updatedInput: { command: 'curl x' } })).toMatchObject({
      behavior: 'ask',
      cause: 'rule',
      question: { call: { input: { command: 'curl x' } } },
    })
  })
  test('a rewrite that the same ask rule is about was asked already', async () => {
    expect(await (await asked({ ask: ['Bash(git *)'] })).answer({ behavior: 'allow', updatedInput: { command: 'git fetch' } })).toMatchObject({
      behavior: 'allow',
      call: { input: { command: 'git fetch' } },
    })
  })
  test('to a permit without a question changes nothing', async () => {
    const denied = await resolvePermission(await verdictOf(says['deny'] ?? []), {})
    expect(await denied.answer({ behavior: 'allow' })).toBe(denied)
  })
  test('a permit that was spread still answers', async () => {
    const copy = { ...(await asked()) }
    expect((await copy.answer({ behavior: 'allow' })).behavior).toBe('allow')
  })
})

test("a host's rule that does not parse is the host's mistake", async () => {
  const resolving = resolvePermission(await verdictOf([]), { rules: { deny: ['Bash(git push'] } })
  await expect(resolving).rejects.toThrow(HooklineError)
  await expect(resolving).rejects.toMatchObject({ code: 'invalid-option', message: expect.stringContaining('permissions.rules.deny') })
})

test('an aborted signal rejects with its reason', async () => {
  const reason = new Error('gone')
  await expect(resolvePermission(await verdictOf([]), {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})
