/** Common input fields that change while a session lives: the current folder, the prompt, the mode. */
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../src/index.ts'

function recording() {
  const seen: Record<string, unknown>[] = []
  return { seen, hook: (input: object) => void seen.push({ ...input }) }
}

describe('Common fields that a function gives', () => {
  test('are those of the moment in every event of the session, the tool station included', async () => {
    const { seen, hook } = recording()
    let cwd = '/a'
    const engine = createEngine({
      cwd: '/start',
      base: (event) => ({ cwd, ...(event === 'PreToolUse' ? { permission_mode: 'plan' } : {}), prompt_id: `p-${cwd}` }),
      hooks: { PreToolUse: [hook], PostToolUse: [hook] },
    })
    await engine.runTool({ name: 'Bash', input: { command: 'cd /b' }, id: 't1' }, () => {
      cwd = '/b'
      return { stdout: '', stderr: '', interrupted: false }
    })
    expect(seen).toMatchObject([
      { hook_event_name: 'PreToolUse', cwd: '/a', prompt_id: 'p-/a', permission_mode: 'plan' },
      { hook_event_name: 'PostToolUse', cwd: '/b', prompt_id: 'p-/b' },
    ])
    await engine.close()
  })

  test('belong to their own session; a further one brings its own, and keeps its id', async () => {
    const { seen, hook } = recording()
    const engine = createEngine({ base: () => ({ prompt_id: 'first' }), hooks: { Stop: [hook] } })
    const second = engine.session('s-2', () => ({ cwd: '/two', prompt_id: 'second' }))
    await second.fire('Stop', {})
    await engine.session('s-3').fire('Stop', {})
    expect(seen[0]).toMatchObject({ session_id: 's-2', cwd: '/two', prompt_id: 'second' })
    expect(seen[1]).toMatchObject({ session_id: 's-3' })
    expect(seen[1]).not.toHaveProperty('prompt_id')
    await engine.close()
  })

  test('reach a subagent, or it has its own; its id and type stay', async () => {
    const { seen, hook } = recording()
    const engine = createEngine({ base: () => ({ cwd: '/main' }), hooks: { Stop: [hook] } })
    await engine.agent('a-1', 'Explore').fire('Stop', {})
    await engine.agent('a-2', 'Plan', () => ({ cwd: '/own' })).fire('Stop', {})
    expect(seen).toMatchObject([
      { cwd: '/main', agent_id: 'a-1', agent_type: 'Explore' },
      { cwd: '/own', agent_id: 'a-2', agent_type: 'Plan' },
    ])
    await engine.close()
  })

  test('that are no function are refused by name', () => {
    expect(() => createEngine({ base: { cwd: '/x' } as never })).toThrow('Option "base" must be a function')
  })
})

describe('Hooks of PermissionRequest', () => {
  test('are asked about the questions that the host leaves to them, and about no others', async () => {
    const engine = createEngine({
      hooks: {
        PreToolUse: [(input) => (input.tool_name === 'Bash' ? { permission: 'ask', reason: 'sure?' } : undefined)],
        PermissionRequest: [() => ({ permission: 'allow' })],
      },
      permissions: { mode: 'default', request: (question) => question.cause !== 'hook' },
    })
    expect(await engine.permit({ name: 'Bash', input: { command: 'x' }, id: 't1' })).toMatchObject({
      behavior: 'deny',
      cause: 'nobody-to-ask',
      reason: 'sure?',
    })
    expect(await engine.permit({ name: 'Write', input: { file_path: '/x', content: '' }, id: 't2' })).toMatchObject({ behavior: 'allow', cause: 'hook' })
    await engine.close()
  })
})
