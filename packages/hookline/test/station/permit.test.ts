/** permit: what lies between a tool call and the tool, on a whole engine with hooks, rules, a mode, a classifier and a person. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  createEngine,
  type Diagnostic,
  type EngineOptions,
  type Hookline,
  type Hooks,
  type PermissionAnswer,
  type Question,
  type ToolCall,
} from '../../src/index.ts'

const open: Hookline[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})
function engine(options: EngineOptions = {}): Hookline {
  const made = createEngine({ cwd: '/project', ...options })
  open.push(made)
  return made
}
let count = 0
const call = (command = 'ls', name = 'Bash'): ToolCall => ({ name, input: { command }, id: `toolu_${++count}` })

/** A person who answers as told, and what they were asked. */
function person(...answers: PermissionAnswer[]) {
  const asked: Question[] = []
  return {
    asked,
    ask: async (question: Question): Promise<PermissionAnswer> => {
      const answer = answers[asked.push(question) - 1]
      if (answer === undefined) throw new Error('asked once too often')
      return answer
    },
  }
}
const yes: PermissionAnswer = { behavior: 'allow' }
const no: PermissionAnswer = { behavior: 'deny', message: 'not today' }

describe('without anybody to ask', () => {
  const decisions: [name: string, options: EngineOptions, expected: object][] = [
    ['nobody has an opinion: go on as without Hookline', {}, { behavior: 'passthrough', cause: 'no-opinion', toModel: '', toUser: '' }],
    [
      'a hook denies',
      { hooks: { PreToolUse: [() => ({ permission: 'deny', reason: 'no' })] } },
      { behavior: 'deny', cause: 'hook', reason: 'no', toModel: expect.stringContaining('no') },
    ],
    [
      'a hook allows',
      { hooks: { PreToolUse: [() => ({ permission: 'allow', reason: 'fine' })] } },
      { behavior: 'allow', cause: 'hook', toUser: 'fine', toModel: '' },
    ],
    [
      'a hook allows what a rule denies',
      { hooks: { PreToolUse: [() => ({ permission: 'allow' })] }, permissions: { rules: { deny: ['Bash(ls)'] } } },
      { behavior: 'deny', cause: 'rule' },
    ],
    [
      'a hook allows what a rule asks for',
      { hooks: { PreToolUse: [() => ({ permission: 'allow' })] }, permissions: { rules: { ask: ['Bash(ls)'] } } },
      { behavior: 'deny', cause: 'nobody-to-ask' },
    ],
    [
      'a hook asks',
      { hooks: { PreToolUse: [() => ({ permission: 'ask', reason: 'money moves' })] } },
      { behavior: 'deny', cause: 'nobody-to-ask', toModel: expect.stringContaining('money moves') },
    ],
    ['a hook defers', { hooks: { PreToolUse: [() => ({ permission: 'defer' })] } }, { behavior: 'defer', cause: 'hook' }],
    [
      'a hook ends the turn',
      { hooks: { PreToolUse: [() => ({ stop: 'budget spent' })] } },
      { behavior: 'deny', cause: 'hook', stop: { reason: 'budget spent' }, toUser: 'budget spent' },
    ],
    ['a rule allows', { permissions: { rules: { allow: ['Bash'] }, mode: 'default' } }, { behavior: 'allow', cause: 'rule' }],
    ['the mode decides nothing', { permissions: { mode: 'default' } }, { behavior: 'deny', cause: 'nobody-to-ask' }],
    ['the mode lets everything pass', { permissions: { mode: () => 'bypassPermissions' } }, { behavior: 'allow', cause: 'mode' }],
    [
      "the host's own judge denies",
      { permissions: { rules: () => ({ behavior: 'deny', reason: 'house rule' }) } },
      { behavior: 'deny', cause: 'rule', toModel: expect.stringContaining('house rule') },
    ],
  ]
  test.each(decisions)('%s', async (_, options, expected) => {
    expect(await engine(options).permit(call())).toMatchObject(expected)
  })

  test('the rules look at the input as hooks rewrote it, and the permit holds that input', async () => {
    const h = engine({ hooks: { PreToolUse: [() => ({ updatedInput: { command: 'curl x' } })] }, permissions: { rules: { deny: ['Bash(curl *)'] } } })
    expect(await h.permit(call('ls'))).toMatchObject({ behavior: 'deny', cause: 'rule', call: { input: { command: 'curl x' } } })
  })
})

describe('the person', () => {
  const asking: EngineOptions = { hooks: { PreToolUse: [() => ({ permission: 'ask', reason: 'money moves' })] } }

  test('is asked with the call, the reason and who asks', async () => {
    const { ask, asked } = person(yes)
    const suggestion = { type: 'addRules' as const, rules: [{ toolName: 'Bash' }], behavior: 'allow' as const, destination: 'session' as const }
    const h = engine({ ...asking, permissions: { ask, suggest: () => [suggestion] } })
    const one = call('pay')
    expect(await h.permit(one)).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(asked).toEqual([{ call: one, reason: 'money moves', cause: 'hook', by: ['code:PreToolUse:0:0'], suggestions: [suggestion] }])
  })

  test('may say no: the model reads why', async () => {
    const h = engine({ ...asking, permissions: person({ ...no, interrupt: true }) })
    expect(await h.permit(call())).toMatchObject({
      behavior: 'deny',
      cause: 'person',
      reason: 'not today',
      interrupt: true,
      toModel: expect.stringContaining('not today'),
    })
  })

  test('may change the input: a deny rule still holds, and is named as the cause', async () => {
    const changed: PermissionAnswer = { behavior: 'allow', updatedInput: { command: 'curl x' } }
    const h = engine({ ...asking, permissions: { ...person(changed), rules: { deny: ['Bash(curl *)'] } } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'rule', call: { input: { command: 'curl x' } } })
  })

  test('is asked again when the changed input meets another ask rule', async () => {
    const { ask, asked } = person({ behavior: 'allow', updatedInput: { command: 'git push' } }, yes)
    const h = engine({ ...asking, permissions: { ask, rules: { ask: ['Bash(git push)'] } } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'person', call: { input: { command: 'git push' } } })
    expect(asked.map((one) => [one.cause, one.call.input['command']])).toEqual([
      ['hook', 'ls'],
      ['rule', 'git push'],
    ])
  })

  test('grants more than this call: the host stores it, once, and only with a yes', async () => {
    const stored: unknown[] = []
    const updatedPermissions = [{ type: 'setMode' as const, mode: 'acceptEdits' as const, destination: 'session' as const }]
    const onUpdate = (updates: readonly object[]) => void stored.push(...updates)
    const h = engine({ ...asking, permissions: { ...person({ behavior: 'allow', updatedPermissions }, no), onUpdate } })
    await h.permit(call())
    await h.permit(call())
    expect(stored).toEqual(updatedPermissions)
  })

  test('is not asked under ask: return; the permit holds the question and takes the answer', async () => {
    const h = engine({ ...asking, permissions: { rules: { deny: ['Bash(curl *)'] } } })
    const permit = await h.permit(call(), { ask: 'return' })
    expect(permit).toMatchObject({ behavior: 'ask', cause: 'hook', question: { reason: 'money moves' } })
    expect(await permit.answer(yes)).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(await permit.answer(no)).toMatchObject({ behavior: 'deny', cause: 'person', reason: 'not today' })
    expect(await permit.answer({ behavior: 'allow', updatedInput: { command: 'curl x' } })).toMatchObject({ behavior: 'deny', cause: 'rule' })
  })
})

describe('hooks of the request', () => {
  const asks = () => ({ permission: 'ask' as const, reason: 'sure?' })

  test('answer in place of the person: allow, with another input and rules to store', async () => {
    const stored: unknown[] = []
    const { ask, asked } = person()
    const updates = [{ type: 'setMode' as const, mode: 'plan' as const, destination: 'session' as const }]
    const h = engine({
      hooks: { PreToolUse: [asks], PermissionRequest: [() => ({ permission: 'allow', updatedInput: { command: 'ls -a' }, updatedPermissions: updates })] },
      permissions: { ask, onUpdate: (all) => void stored.push(...all) },
    })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'hook', call: { input: { command: 'ls -a' } } })
    expect([asked, stored]).toEqual([[], updates])
  })

  test('answer in place of the person: deny, with an interrupt', async () => {
    const h = engine({
      hooks: { PreToolUse: [asks], PermissionRequest: [() => ({ permission: 'deny', reason: 'closed', interrupt: true })] },
      permissions: person(),
    })
    expect(await h.permit(call())).toMatchObject({
      behavior: 'deny',
      cause: 'hook',
      reason: 'closed',
      interrupt: true,
      toModel: expect.stringContaining('closed'),
    })
  })

  test('that say nothing leave the question to the person', async () => {
    const { ask, asked } = person(yes)
    const h = engine({ hooks: { PreToolUse: [asks], PermissionRequest: [() => undefined] }, permissions: { ask } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(asked).toHaveLength(1)
  })

  test('cannot allow what a deny rule forbids, and what another rule asks for goes to the person', async () => {
    const allowing = (command: string): Hooks => ({
      PreToolUse: [asks],
      PermissionRequest: [() => ({ permission: 'allow', updatedInput: { command } })],
    })
    const { ask, asked } = person(no)
    const rules = { deny: ['Bash(curl *)'], ask: ['Bash(git push)'] }
    expect(await engine({ hooks: allowing('curl x'), permissions: { ask, rules } }).permit(call())).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(await engine({ hooks: allowing('git push'), permissions: { ask, rules } }).permit(call())).toMatchObject({ behavior: 'deny', cause: 'person' })
    expect(asked.map((one) => one.call.input['command'])).toEqual(['git push'])
    expect(await engine({ hooks: allowing('git push'), permissions: { rules } }).permit(call())).toMatchObject({ behavior: 'deny', cause: 'nobody-to-ask' })
  })

  test('see the suggestions and no tool-use id, and end the turn if they say so', async () => {
    const seen: object[] = []
    const h = engine({
      hooks: {
        PreToolUse: [asks],
        PermissionRequest: [
          (input) => {
            seen.push(input)
            return { stop: 'enough' }
          },
        ],
      },
      permissions: person(),
    })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'hook', stop: { reason: 'enough' } })
    expect(seen).toMatchObject([{ tool_name: 'Bash' }])
    expect(seen[0]).not.toHaveProperty('permission_suggestions')
    expect(seen[0]).not.toHaveProperty('tool_use_id')
  })

  test('that fail are told to the person beside the decision', async () => {
    const broken = () => {
      throw new Error('no database')
    }
    const h = engine({ hooks: { PreToolUse: [asks], PermissionRequest: [broken] }, permissions: person(yes) })
    const permit = await h.permit(call())
    expect(permit.behavior).toBe('allow')
    expect(permit.toUser).toContain('no database')
  })

  test('are not fired for what is settled', async () => {
    let fired = 0
    const count = () => void fired++
    await engine({ hooks: { PreToolUse: [() => ({ permission: 'deny', reason: 'no' })], PermissionRequest: [count] } }).permit(call())
    await engine({ hooks: { PermissionRequest: [count] }, permissions: { rules: { allow: ['Bash'] } } }).permit(call())
    expect(fired).toBe(0)
  })
})

describe('mode auto', () => {
  test('asks the classifier first; its no fires PermissionDenied, whose hooks may let the model try again', async () => {
    const seen: object[] = []
    const h = engine({
      hooks: {
        PermissionDenied: [
          (input) => {
            seen.push(input)
            return { retry: true }
          },
        ],
      },
      permissions: { mode: 'auto', classify: () => ({ behavior: 'deny', reason: 'looks risky' }), ...person() },
    })
    expect(await h.permit(call('rm x'))).toMatchObject({ behavior: 'deny', cause: 'classifier', reason: 'looks risky', retry: true })
    expect(seen).toMatchObject([{ tool_input: { command: 'rm x' }, reason: 'looks risky', permission_mode: 'auto' }])
  })

  test('takes the classifier at its yes, asks when it is not sure, and when it fails', async () => {
    const notices: Diagnostic[] = []
    const asked = person(yes, yes)
    const words: ('allow' | 'ask')[] = ['allow', 'ask']
    const h = engine({
      onNotice: (notice) => notices.push(notice),
      permissions: {
        mode: 'auto',
        ask: asked.ask,
        classify: () => {
          const word = words.shift()
          if (word === undefined) throw new Error('overloaded')
          return word
        },
      },
    })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'classifier' })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(await h.permit(call())).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(asked.asked).toHaveLength(2)
    expect(notices).toMatchObject([{ code: 'classifier-failed', message: expect.stringContaining('overloaded') }])
  })

  test("does not ask the classifier about a hook's ask", async () => {
    const asked = person(no)
    const h = engine({ hooks: { PreToolUse: [() => ({ permission: 'ask' })] }, permissions: { mode: 'auto', classify: () => 'allow', ask: asked.ask } })
    expect(await h.permit(call())).toMatchObject({ behavior: 'deny', cause: 'person' })
  })
})

describe('the same call asked about twice', () => {
  function counting(options: EngineOptions = {}) {
    let fired = 0
    const h = engine(options)
    h.on('PreToolUse', () => void fired++)
    return { h, fired: () => fired }
  }

  test('fires its hooks once and gives the same permit, also at the same time', async () => {
    const { h, fired } = counting()
    const one = call()
    const [a, b] = await Promise.all([h.permit(one), h.permit({ ...one, input: { command: 'ls' } })])
    expect(await h.permit(one)).toBe(a)
    expect([b, fired()]).toEqual([a, 1])
  })

  test('fires them again for another input, another scope, the next turn, and after the call ran', async () => {
    const { h, fired } = counting()
    const one = call()
    await h.permit(one)
    await h.permit({ ...one, input: { command: 'pwd' } })
    expect(fired()).toBe(2)
    await h.session('other').permit({ ...one, input: { command: 'pwd' } })
    expect(fired()).toBe(3)
    await h.fire('UserPromptSubmit', { prompt: 'again' })
    await h.permit({ ...one, input: { command: 'pwd' } })
    expect(fired()).toBe(4)
    await h.runTool({ ...one, input: { command: 'pwd' } }, () => 'done')
    expect(fired()).toBe(4)
    await h.permit({ ...one, input: { command: 'pwd' } })
    expect(fired()).toBe(5)
  })

  test('fires them again when it was deferred, or the decision failed', async () => {
    let fired = 0
    const h = engine()
    h.on('PreToolUse', () => {
      fired++
      return { permission: 'defer' }
    })
    const one = call()
    await h.permit(one)
    await h.permit(one)
    expect(fired).toBe(2)
  })
})

test('what is no call is a mistake of the host', () => {
  const h = engine()
  for (const wrong of [{}, { name: 'Bash', input: 'ls', id: '1' }, { name: 'Bash', input: {} }])
    expect(() => h.permit(wrong as never)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
})
