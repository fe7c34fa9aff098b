/** A question and its ends: a person, a classifier, an abort, an interrupt, an answer that is none. */
import { describe, expect, test } from 'vitest'
import type { PermissionAnswer, Question, ToolCall } from '../../src/index.ts'
import { engine, turn } from '../engine/opened.ts'

let count = 0
const call = (command = 'ls'): ToolCall => ({ name: 'Bash', input: { command }, id: `toolu_${++count}` })
/** A person who says yes, and what they were asked. */
function yesSayer() {
  const asked: Question[] = []
  const ask = (question: Question): PermissionAnswer => {
    asked.push(question)
    return { behavior: 'allow' }
  }
  return { asked, ask }
}
const asking = { hooks: { PreToolUse: [() => ({ permission: 'ask' as const, reason: 'money moves' })] } }

describe('a classifier in mode auto', () => {
  test.each<[asks: string, options: object, cause: string]>([
    ['a hook', asking, 'hook'],
    ['a rule', { permissions: { rules: { ask: ['Bash'] } } }, 'rule'],
  ])('may refuse what %s asks about, and cannot allow it', async (_, options, cause) => {
    const words: ('allow' | 'deny')[] = ['deny', 'allow']
    const { asked, ask } = yesSayer()
    const { permissions = {} } = options as { permissions?: object }
    const h = engine({ ...options, permissions: { mode: 'auto', classify: () => words.shift() ?? 'allow', ask, ...permissions } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'classifier' })
    expect(asked).toEqual([])
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(asked).toMatchObject([{ cause }])
  })

  test('refuses with PermissionDenied: a retry is told to the model, and the denial stands', async () => {
    const h = engine({ permissions: { mode: 'auto', classify: () => ({ behavior: 'deny', reason: 'risky' }) } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', toModel: 'risky' })
    h.on('PermissionDenied', () => ({ retry: true, message: 'told you' }))
    const run = await h.runTool(call(), () => 'ran')
    expect(run).toMatchObject({ kind: 'refused', permit: { retry: true }, toModel: 'risky\nA hook says that this call may be tried again.' })
    expect(run.toUser).toContain('told you')
  })

  test.each<[what: string, said: unknown]>([
    ['a word that is none', 'maybe'],
    ['nothing', undefined],
    ['a behavior that is none', { behavior: 'ALLOW' }],
    ['passthrough', 'passthrough'],
  ])('that says %s decides nothing', async (_, said) => {
    const h = engine({ permissions: { mode: 'auto', classify: () => said as never } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
  })
})

describe('an interrupt ends the turn', () => {
  test('of a person', async () => {
    const h = engine({ ...asking, permissions: { ask: () => ({ behavior: 'deny', message: 'stop that', interrupt: true }) } })
    expect(await h.runTool(call(), () => 'ran')).toMatchObject({ kind: 'refused', stop: { reason: 'stop that', by: 'person' }, permit: { interrupt: true } })
  })

  test('of a hook, which is named', async () => {
    const h = engine(asking)
    h.on('PermissionRequest', { name: 'guard' }, () => ({ permission: 'deny', reason: 'closed', interrupt: true }))
    const run = await h.runTool(call(), () => 'ran')
    expect(run).toMatchObject({ kind: 'refused', stop: { reason: 'closed', by: 'code:PermissionRequest:1:0' }, permit: { interrupt: true, cause: 'hook' } })
    expect(run.toModel).toBe('PermissionRequest hook guard: closed')
  })

  test('and no interrupt does not', async () => {
    const h = engine({ ...asking, permissions: { ask: () => ({ behavior: 'deny' }) } })
    expect(await h.runTool(call(), () => 'ran')).not.toHaveProperty('stop')
  })
})

describe('hooks of the request that disagree', () => {
  const deny = () => ({ permission: 'deny' as const, reason: 'no' })
  const allow = async () => {
    await turn()
    return { permission: 'allow' as const, updatedPermissions: [{ type: 'setMode' as const, mode: 'plan' as const, destination: 'session' as const }] }
  }
  test.each<[order: string, hooks: (typeof deny | typeof allow)[]]>([
    ['deny first', [deny, allow]],
    ['allow first', [allow, deny]],
  ])('are all awaited, and deny wins: %s', async (_, hooks) => {
    const stored: unknown[] = []
    const h = engine({ ...asking, permissions: { ask: () => ({ behavior: 'allow' }), onUpdate: (updates) => void stored.push(...updates) } })
    for (const hook of hooks) h.on('PermissionRequest', hook as never)
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'hook', reason: 'no' })
    expect(stored).toEqual([])
  })
})

describe('an abort is never an approval', () => {
  test('while the person thinks: the wait ends at once, and a late yes is nobody’s', async () => {
    const abort = new AbortController()
    let answer = (_: PermissionAnswer) => {}
    const seen: AbortSignal[] = []
    const h = engine({
      ...asking,
      permissions: {
        ask: (_, { signal }) => {
          seen.push(signal)
          return new Promise<PermissionAnswer>((resolve) => {
            answer = resolve
          })
        },
      },
    })
    let ran = 0
    const run = h.runTool(call(), () => ++ran, { signal: abort.signal })
    await turn()
    abort.abort(new Error('Esc'))
    await expect(run).rejects.toThrow('Esc')
    answer({ behavior: 'allow' })
    await turn()
    expect([ran, seen[0]?.aborted]).toEqual([0, true])
  })

  test('while the classifier thinks', async () => {
    const abort = new AbortController()
    const h = engine({ permissions: { mode: 'auto', classify: () => new Promise<never>(() => {}) } })
    const permit = h.permit(call(), { signal: abort.signal })
    await turn()
    abort.abort(new Error('Esc'))
    await expect(permit).rejects.toThrow('Esc')
  })

  test('when the scope closes', async () => {
    const h = engine({ ...asking, permissions: { ask: () => new Promise<never>(() => {}) } })
    const permit = h.permit(call())
    await turn()
    await h.close()
    await expect(permit).rejects.toMatchObject({ code: 'closed' })
  })

  test('between permit and tool: the tool does not start', async () => {
    const h = engine()
    let ran = 0
    await expect(h.runTool(await h.permit(call()), () => ++ran, { signal: AbortSignal.abort(new Error('Esc')) })).rejects.toThrow('Esc')
    expect(ran).toBe(0)
  })

  test('before the answer to a question that was handed over', async () => {
    const abort = new AbortController()
    const h = engine(asking)
    const permit = await h.permit(call(), { ask: 'return', signal: abort.signal })
    abort.abort(new Error('Esc'))
    await expect(permit.answer({ behavior: 'allow' })).rejects.toThrow('Esc')
  })

  test('that comes after the tool ended: its hooks still run, and the output is handed over', async () => {
    const abort = new AbortController()
    const seen: string[] = []
    const h = engine({ hooks: { PostToolUse: [() => void seen.push('after')] } })
    const execute = () => {
      abort.abort()
      return 'done'
    }
    const run = await h.runTool(call(), execute, { signal: abort.signal })
    expect([run.kind, seen]).toEqual(['ran', ['after']])
  })
})

describe('a question that fails', () => {
  test.each<[how: string, ask: () => never]>([
    ['rejects', () => Promise.reject(new Error('window closed')) as never],
    [
      'throws',
      () => {
        throw new Error('window closed')
      },
    ],
    ['rejects with no error', () => Promise.reject('window closed') as never],
  ])('and %s is a denial with its cause, told to the host, and not put again', async (_, ask) => {
    const notices: string[] = []
    let asked = 0
    const h = engine({
      ...asking,
      onNotice: ({ code }) => notices.push(code),
      permissions: {
        ask: () => {
          asked += 1
          return ask()
        },
      },
    })
    const one = call()
    const permit = await h.permit(one)
    expect(permit).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask', reason: expect.stringContaining('window closed') })
    expect(await h.permit(one)).toBe(permit)
    expect(await h.runTool(permit, () => 'ran')).toMatchObject({ kind: 'refused' })
    expect({ asked, notices }).toEqual({ asked: 1, notices: ['ask-failed'] })
  })
})

describe('what is no answer', () => {
  const wrong: [what: string, answer: unknown][] = [
    ['nothing', undefined],
    ['a word', 'allow'],
    ['an empty object', {}],
    ['another behavior', { behavior: 'yes' }],
    ['an input that is a list', { behavior: 'allow', updatedInput: [] }],
    ['updates that are none', { behavior: 'allow', updatedPermissions: [{ type: 'addRules' }] }],
  ]
  test.each(wrong)('%s is a mistake of the host, and the tool does not run', async (_, answer) => {
    let ran = 0
    const h = engine({ ...asking, permissions: { ask: () => answer as PermissionAnswer } })
    await expect(h.runTool(call(), () => ++ran)).rejects.toMatchObject({ code: 'invalid-input' })
    const permit = await h.permit(call(), { ask: 'return' })
    await expect(permit.answer(answer as PermissionAnswer)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await h.runTool(permit, () => ++ran)).toMatchObject({ kind: 'refused' })
    expect(ran).toBe(0)
  })

  test('a permit with a behavior that is none does not run', async () => {
    const h = engine()
    const permit = { ...(await h.permit(call())), behavior: 'yes' as never }
    expect(await h.runTool(permit, () => 'ran')).toMatchObject({ kind: 'refused' })
  })
})

describe('a question that was handed over', () => {
  test('is put to the person when the host asks through us after all, without firing hooks again', async () => {
    let fired = 0
    const { asked, ask } = yesSayer()
    const h = engine({ permissions: { ask } })
    h.on('PreToolUse', () => {
      fired++
      return { permission: 'ask' }
    })
    const one = call()
    expect((await h.permit(one, { ask: 'return' })).behavior).toBe('ask')
    expect(await h.runTool(one, () => 'ran')).toMatchObject({ kind: 'ran', permit: { cause: 'person' } })
    expect([fired, asked.length]).toEqual([1, 1])
  })

  test('stands as it was answered until the call has run', async () => {
    const h = engine(asking)
    const one = call()
    const open = await h.permit(one, { ask: 'return' })
    expect(await h.permit(one, { ask: 'return' })).toBe(open)
    const no = await open.answer({ behavior: 'deny', message: 'no' })
    expect(await h.permit(one, { ask: 'return' })).toBe(no)
    const other = call()
    const answered = await (await h.permit(other, { ask: 'return' })).answer({ behavior: 'allow' })
    expect(await h.permit(other, { ask: 'return' })).toBe(answered)
    expect(await h.runTool(answered, () => 'ran')).toMatchObject({ kind: 'ran' })
    expect((await h.permit(other, { ask: 'return' })).behavior).toBe('ask')
  })

  test('whose answer meets another rule is handed over again', async () => {
    const h = engine({ ...asking, permissions: { rules: { ask: ['Bash(git push)'] } } })
    const one = call()
    const again = await (await h.permit(one, { ask: 'return' })).answer({ behavior: 'allow', updatedInput: { command: 'git push' } })
    expect(again).toMatchObject({ behavior: 'ask', cause: 'rule', question: { call: { input: { command: 'git push' } } } })
    expect(await again.answer({ behavior: 'allow' })).toMatchObject({ behavior: 'allow', call: { input: { command: 'git push' } } })
  })

  test('is told to the trace once as a question and once as its answer', async () => {
    const told: string[] = []
    const h = engine(asking)
    h.trace.subscribe((line) => line.kind === 'permitted' && told.push(`${line.behavior} ${line.cause}`))
    await (await h.permit(call(), { ask: 'return' })).answer({ behavior: 'allow' })
    expect(told).toEqual(['ask hook', 'allow person'])
  })
})

test('permits of a host that never ends a turn do not pile up', async () => {
  const h = engine()
  const first = { ...call(), id: 'first' }
  const permit = await h.permit(first)
  for (let at = 0; at < 1_000; at++) await h.permit({ ...call(), id: `n-${at}` })
  expect(await h.permit(first)).not.toBe(permit)
})
