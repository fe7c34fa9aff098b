/** Where a command runs and what it sees: right for each hook and each event, however much of it is remembered. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandEnvironment } from '../../src/handlers/command-environment.ts'
import { createSurroundings } from '../../src/handlers/command-surroundings.ts'
import type { RunContext, RunnableHook } from '../../src/protocol/runner.ts'
import { commandHook, makeContext } from './make-run.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-surroundings-'))
afterAll(() => rmSync(root, { recursive: true }))

const host: Record<string, string | undefined> = { PATH: '/bin', A: '1', LD_PRELOAD: '/x.so', CLAUDE_EFFORT: 'high' }
const surroundings = createSurroundings({ env: () => host, startDir: root })
/** A context of another event each time, as every event has a payload of its own. */
const event = (more: Partial<RunContext> = {}): RunContext => ({
  ...makeContext({ projectDir: root, cwd: root, ...more }),
  payload: new Uint8Array([123, 125]),
})

describe('the variables of a command', () => {
  const hook = commandHook('x')
  it.each<[name: string, hook: RunnableHook, context: Partial<RunContext>]>([
    ['without anything of its own', hook, {}],
    ['of another session', hook, { sessionId: 's-2' }],
    ['of another project', hook, { projectDir: tmpdir() }],
    ['with an environment file', hook, { envFile: join(root, 'env') }],
    ['with an effort', hook, { input: { effort: { level: 'low' } } }],
    ['with variables of its source', { ...hook, env: { A: '2', LD_PRELOAD: 'z' } }, {}],
    ['with other variables of its source', { ...hook, env: { A: '3' } }, {}],
    ['with those of a plugin', { ...hook, variables: { CLAUDE_PLUGIN_ROOT: root } }, {}],
    ['whose source wants credentials away', { ...hook, env: { CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '1', API_KEY: 'x' } }, {}],
  ])('%s are those that it would have alone, again and again', (_name, one, more) => {
    for (let round = 0; round < 2; round++) {
      const context = event(more)
      expect(surroundings(one, context)).toEqual({ cwd: root, env: { ...commandEnvironment(host, one, context), PWD: root } })
    }
  })

  it('are one object as long as nothing changed, and nobody can change it', () => {
    const { env } = surroundings(hook, event())
    expect(surroundings(commandHook('y'), event()).env).toBe(env)
    expect(Object.isFrozen(env)).toBe(true)
  })

  it.each<[name: string, change: Record<string, string | undefined>]>([
    ['another value', { A: '9' }],
    ['one more', { B: '' }],
    ['one less', { A: undefined }],
  ])('follow the host from one event to the next: %s', (_name, change) => {
    surroundings(hook, event())
    Object.assign(host, change)
    const context = event()
    expect(surroundings(hook, context).env).toEqual({ ...commandEnvironment(host, hook, context), PWD: root })
  })
})

describe('the folder of a command', () => {
  it('is that of its event, as long as that is there', () => {
    const folder = join(root, 'sub')
    mkdirSync(folder)
    const { cwd, env } = surroundings(commandHook('x'), event({ cwd: folder }))
    expect([cwd, env['PWD']]).toEqual([folder, folder])
    rmSync(folder, { recursive: true })
    expect(surroundings(commandHook('x'), event({ cwd: folder })).cwd).toBe(root)
  })
})
