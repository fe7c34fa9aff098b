/** What is granted along with an answer: kept where the update says, used for later calls, and never past a deny or ask rule. */
import { describe, expect, test } from 'vitest'
import type { Diagnostic, EngineOptions, PermissionAnswer, PermissionMode, PermissionUpdate, ToolCall } from '../../src/index.ts'
import { engine } from '../engine/opened.ts'
import { guarded } from './guarded.ts'

let count = 0
const call = (command: string, name = 'Bash'): ToolCall => ({ name, input: { command }, id: `toolu_${++count}` })
const rules = (
  type: 'addRules' | 'replaceRules' | 'removeRules',
  text: string,
  more: Partial<Extract<PermissionUpdate, { rules: unknown }>> = {},
): PermissionUpdate => {
  const [, toolName = text, ruleContent] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  return { type, rules: [ruleContent === undefined ? { toolName } : { toolName, ruleContent }], behavior: 'allow', destination: 'session', ...more }
}
const setMode = (mode: PermissionMode, destination: PermissionUpdate['destination'] = 'session'): PermissionUpdate => ({ type: 'setMode', mode, destination })
const yes = (...updatedPermissions: PermissionUpdate[]): PermissionAnswer => ({ behavior: 'allow', updatedPermissions })

/** An engine in mode "default" whose person gives these answers, then says no. */
function asked(answers: PermissionAnswer[], options: EngineOptions = {}) {
  let questions = 0
  const stored: PermissionUpdate[] = []
  const notices: Diagnostic[] = []
  const h = engine({
    onNotice: (notice) => notices.push(notice),
    ...options,
    permissions: {
      mode: 'default',
      ask: () => answers[questions++] ?? { behavior: 'deny', message: 'no' },
      onUpdate: (updates) => void stored.push(...updates),
      ...options.permissions,
    },
  })
  return { h, stored, notices, questions: () => questions }
}

describe('rules of the session', () => {
  test('hold for later calls in the session and its subagents, and nowhere else', async () => {
    const { h, stored, questions } = asked([yes(rules('addRules', 'Bash(npm test)'))])
    expect(await h.permit(call('npm test'))).toMatchObject({ behavior: 'allow', cause: 'person' })
    expect(await h.permit(call('npm test'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect(await h.agent('a-1', 'Explore').permit(call('npm test'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect(questions()).toBe(1)
    expect(await h.permit(call('npm publish'))).toMatchObject({ behavior: 'deny', cause: 'person' })
    expect(await h.session('other').permit(call('npm test'))).toMatchObject({ behavior: 'deny', cause: 'person' })
    expect(stored).toEqual([])
  })

  test('never pass a deny or an ask rule', async () => {
    const { h } = asked([yes(rules('addRules', 'Bash'))], { permissions: { rules: { deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] } } })
    await h.permit(call('ls'))
    expect(await h.permit(call('pwd'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect(await h.permit(call('rm x'))).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(await h.permit(call('git push origin'))).toMatchObject({ behavior: 'deny', cause: 'person' })
  })

  test('may forbid, and may ask for more', async () => {
    const granted = [rules('addRules', 'Bash(curl *)', { behavior: 'deny' }), rules('addRules', 'Bash(git *)', { behavior: 'ask' })]
    const { h } = asked([yes(...granted)], { permissions: { rules: { allow: ['Bash'] } } })
    expect(await h.permit(call('curl x'))).toMatchObject({ behavior: 'allow' })
    await h.permit({ name: 'Other', input: {}, id: 'x' })
    expect(await h.permit(call('curl x'))).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(await h.permit(call('git push'))).toMatchObject({ behavior: 'deny', cause: 'person' })
  })

  test('go when they are removed or replaced', async () => {
    const { h } = asked([
      yes(rules('addRules', 'Bash(a)'), rules('addRules', 'Bash(b)')),
      yes(rules('removeRules', 'Bash(a)')),
      yes(rules('replaceRules', 'Bash(c)')),
    ])
    await h.permit(call('start'))
    expect((await h.permit(call('a'))).behavior).toBe('allow')
    await h.permit(call('next'))
    expect((await h.permit(call('b'))).behavior).toBe('allow')
    await h.permit(call('a'))
    expect((await h.permit(call('c'))).behavior).toBe('allow')
    expect((await h.permit(call('b'))).behavior).toBe('deny')
  })

  test('that are no rules are told and left out; brackets in a rule are part of it', async () => {
    const { h, notices } = asked([yes(rules('addRules', 'Bash((x)'), { ...rules('addRules', 'x'), rules: [{ toolName: 'not a tool' }] } as PermissionUpdate)])
    await h.permit(call('first'))
    expect(notices).toMatchObject([{ code: 'update-dropped', message: expect.stringContaining('not a tool') }])
    expect((await h.permit(call('second'))).behavior).toBe('deny')
  })
})

describe('where it is stored', () => {
  const everywhere: PermissionUpdate[] = (['userSettings', 'projectSettings', 'localSettings'] as const).map((destination) =>
    rules('addRules', 'Bash(x)', { destination }),
  )

  test('user, project and local settings are the host’s to write; until then it holds for the session', async () => {
    const { h, stored } = asked([yes(...everywhere, rules('addRules', 'Bash(y)'))])
    await h.permit(call('first'))
    expect(stored).toEqual(everywhere)
    expect(await h.permit(call('x'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect(await h.permit(call('y'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
  })

  test('without onUpdate all of it is for this session only', async () => {
    const h = engine({ permissions: { mode: 'default', ask: () => yes(...everywhere) } })
    await h.permit(call('first'))
    expect(await h.permit(call('x'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
  })

  test('the mode and the folders are the host’s own, whatever their destination', async () => {
    const updates: PermissionUpdate[] = [setMode('acceptEdits'), { type: 'addDirectories', directories: ['/other'], destination: 'session' }]
    const { h, stored } = asked([yes(...updates)])
    await h.permit(call('first'))
    expect(stored).toEqual(updates)
  })

  test('folders that nobody takes are told', async () => {
    const notices: Diagnostic[] = []
    const updates: PermissionUpdate[] = [{ type: 'addDirectories', directories: ['/other'], destination: 'session' }]
    const h = engine({ onNotice: (notice) => notices.push(notice), permissions: { mode: 'default', ask: () => yes(...updates) } })
    await h.permit(call('first'))
    expect(notices).toMatchObject([{ code: 'update-dropped', message: expect.stringContaining('onUpdate') }])
  })

  test('a host that cannot store it is told, and the call goes on', async () => {
    const { h, notices } = asked([yes(rules('addRules', 'Bash(x)', { destination: 'localSettings' }))], {
      permissions: { onUpdate: () => Promise.reject(new Error('disk full')) },
    })
    expect(await h.permit(call('first'))).toMatchObject({ behavior: 'allow' })
    expect(notices).toMatchObject([{ code: 'update-failed', message: expect.stringContaining('disk full') }])
    expect(await h.permit(call('x'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
  })

  test('a no grants nothing, and neither does a yes that a rule overrules', async () => {
    const { h, stored } = asked([{ behavior: 'allow', updatedInput: { command: 'rm x' }, updatedPermissions: [rules('addRules', 'Bash')] }], {
      permissions: { rules: { deny: ['Bash(rm *)'] } },
    })
    expect(await h.permit(call('ls'))).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect([stored, (await h.permit(call('ls'))).behavior]).toEqual([[], 'deny'])
  })

  test('hooks of the request grant the same way', async () => {
    const { h, stored, questions } = asked([])
    h.on('PermissionRequest', { matcher: 'Bash' }, () => ({
      permission: 'allow',
      updatedPermissions: [rules('addRules', 'Bash(npm *)'), rules('addRules', 'Bash(npm *)', { destination: 'projectSettings' })],
    }))
    await h.permit(call('npm test'))
    expect(await h.permit(call('npm run x'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
    expect([stored.map((update) => update.destination), questions()]).toEqual([['projectSettings'], 0])
  })

  test('a question that was handed over grants with its answer', async () => {
    const { h, stored } = asked([])
    const permit = await h.permit(call('npm test'), { ask: 'return' })
    await permit.answer(yes(rules('addRules', 'Bash(npm *)'), rules('addRules', 'Bash(x)', { destination: 'userSettings' })))
    expect(stored).toHaveLength(1)
    expect(await h.permit(call('npm run x'))).toMatchObject({ behavior: 'allow', cause: 'rule' })
  })
})

describe('the rules of settings', () => {
  const files = { '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(a)', 'Bash(b)'], deny: ['Bash(c)'], ask: ['Bash(d)'] } }) }
  const open = (answers: PermissionAnswer[]) => {
    let at = 0
    return guarded({ files, permissions: { mode: 'default', ask: () => answers[at++] ?? { behavior: 'deny' } } })
  }

  test('that allow can be taken back for the session', async () => {
    await using h = await open([yes(rules('removeRules', 'Bash(a)', { destination: 'projectSettings' }))])
    expect((await h.permit(call('a'))).behavior).toBe('allow')
    await h.permit(call('other'))
    expect((await h.permit(call('a'))).behavior).toBe('deny')
    expect((await h.permit(call('b'))).behavior).toBe('allow')
    expect((await h.session('next').permit(call('a'))).behavior).toBe('allow')
  })

  test('that deny or ask stand until the settings change', async () => {
    const destination = 'projectSettings' as const
    await using h = await open([
      yes(
        rules('removeRules', 'Bash(c)', { destination, behavior: 'deny' }),
        rules('replaceRules', 'Bash(z)', { destination, behavior: 'ask' }),
        rules('addRules', 'Bash'),
      ),
    ])
    await h.permit(call('other'))
    expect(await h.permit(call('c'))).toMatchObject({ behavior: 'deny', cause: 'rule' })
    expect(await h.permit(call('d'))).toMatchObject({ behavior: 'deny', cause: 'person' })
    expect(await h.permit(call('z'))).toMatchObject({ behavior: 'deny', cause: 'person' })
    expect((await h.permit(call('e'))).behavior).toBe('allow')
  })
})

describe('the mode', () => {
  const edit = (): ToolCall => ({ name: 'Edit', input: { file_path: '/project/a' }, id: `toolu_${++count}` })

  test('that was granted is the mode of later calls, and what hooks see', async () => {
    const modes: unknown[] = []
    const { h } = asked([yes(setMode('acceptEdits'))])
    h.on('PreToolUse', (input) => void modes.push(input.permission_mode))
    await h.permit(edit())
    expect(await h.permit(edit())).toMatchObject({ behavior: 'allow', cause: 'mode' })
    expect(modes).toEqual(['default', 'acceptEdits'])
  })

  test('is the host’s again once the host changes it', async () => {
    let mode: PermissionMode = 'default'
    const { h } = asked([yes(setMode('acceptEdits'))], { permissions: { mode: () => mode } })
    await h.permit(edit())
    expect((await h.permit(edit())).cause).toBe('mode')
    mode = 'plan'
    expect(await h.permit(edit())).toMatchObject({ behavior: 'deny', cause: 'mode' })
    mode = 'default'
    expect(await h.permit(edit())).toMatchObject({ behavior: 'deny', cause: 'person' })
  })

  test('stays unknown to a host that has no modes', async () => {
    const h = engine({ permissions: { ask: () => yes(setMode('plan')) } })
    const undo = h.on('PreToolUse', () => ({ permission: 'ask' }))
    await h.permit(edit())
    undo()
    expect(await h.permit(edit())).toMatchObject({ behavior: 'passthrough' })
  })

  test('bypassPermissions is nothing that a hook can switch on', async () => {
    const { h, stored } = asked([])
    const seen: string[] = []
    h.on('PermissionRequest', () => ({ permission: 'allow', updatedPermissions: [setMode('bypassPermissions')] }))
    h.trace.subscribe((line) => line.kind === 'verdict' && seen.push(...line.verdict.warnings.map(({ code }) => code)))
    expect((await h.permit(edit())).behavior).toBe('allow')
    expect([stored, seen]).toEqual([[], ['mode-not-set']])
  })

  test('bypassPermissions is a person’s to choose, for the session only', async () => {
    const { h, stored } = asked([yes(setMode('bypassPermissions', 'userSettings'))])
    await h.permit(edit())
    expect(stored).toEqual([setMode('bypassPermissions', 'session')])
    expect(await h.permit(edit())).toMatchObject({ behavior: 'allow', cause: 'mode' })
  })

  test.each<[who: string, managed: object]>([['managed settings switch it off', { permissions: { disableBypassPermissionsMode: 'disable' } }]])(
    'bypassPermissions is not there when %s, not even for the host itself',
    async (_, managed) => {
      const { h, stored, notices } = asked([yes(setMode('bypassPermissions'))], { managed })
      await h.permit(edit())
      expect((await h.permit(edit())).behavior).toBe('deny')
      expect([stored, notices.map(({ code }) => code)]).toEqual([[], ['mode-not-set']])
      const other = asked([], { managed, permissions: { mode: 'bypassPermissions' } })
      expect(await other.h.permit(edit())).toMatchObject({ behavior: 'deny', cause: 'person' })
      await other.h.permit(edit())
      expect(other.notices.map(({ code }) => code)).toEqual(['mode-not-set'])
    },
  )
})
