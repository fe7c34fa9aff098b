/** What a command hook finds in its environment, and what never gets there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCommandHandler } from '../../src/handlers/command.ts'
import { commandEnvironment } from '../../src/handlers/command-environment.ts'
import { programs } from '../fixtures/programs.ts'
import { commandHook, makeContext } from './make-run.ts'

const hostile = {
  PATH: `${programs}:/usr/bin:/bin`,
  HOME: '/root',
  BASH_ENV: '/tmp/evil',
  ENV: '/tmp/evil',
  NODE_OPTIONS: '--require /tmp/evil',
  LD_PRELOAD: '',
  LD_LIBRARY_PATH: '/tmp/evil',
  DYLD_INSERT_LIBRARIES: '/tmp/evil',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
  'BASH_FUNC_cat%%': '() { echo evil; }',
  CLAUDE_PLUGIN_ROOT: '/of/an/outer/hook',
  CLAUDE_PLUGIN_OPTION_TOKEN: 'of an outer hook',
  CLAUDE_ENV_FILE: '/of/an/outer/hook',
  CLAUDE_EFFORT: 'of an outer hook',
  CLAUDE_CODE_REMOTE: 'true',
  TRACEPARENT: '00-1',
}

describe('the environment of a command hook', () => {
  it('is, for a process that prints it, what the protocol says and nothing that starts other code', async () => {
    const context = makeContext({ projectDir: '/proj', envFile: '/state/env', sessionId: 's-9', input: { effort: { level: 'high' }, cwd: '/' }, cwd: '/' })
    const { stdout = '' } = await createCommandHandler({ env: hostile }).run(commandHook('env', { args: [] }), context)
    const seen = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    expect(seen).toEqual({
      PATH: hostile.PATH,
      HOME: '/root',
      PWD: '/',
      SHLVL: '1',
      CLAUDE_PROJECT_DIR: '/proj',
      CLAUDE_CODE_SESSION_ID: 's-9',
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_PID: String(process.pid),
      CLAUDE_EFFORT: 'high',
      CLAUDE_ENV_FILE: '/state/env',
      CLAUDE_CODE_REMOTE: 'true',
      TRACEPARENT: '00-1',
      HOOKLINE_RUN: expect.stringMatching(/^[a-z0-9-]+$/),
    })
  })

  it.each([{}, { SHLVL: '0' }, { SHLVL: '-3' }, { SHLVL: '' }, { SHLVL: 'x' }, { SHLVL: '2' }])(
    'makes no bash run a user’s start-up file before a hook: %o',
    async (host) => {
      const home = mkdtempSync(join(tmpdir(), 'hookline-home-'))
      for (const name of ['.bashrc', '.bash_profile', '.profile']) writeFileSync(join(home, name), 'echo started\n')
      const handler = createCommandHandler({ env: { PATH: '/usr/bin:/bin', HOME: home, ...host } })
      const inShell = await handler.run(commandHook(`bash -c 'echo "{}"'`), makeContext({ cwd: '/' }))
      const byItself = await handler.run(commandHook('bash', { args: ['-c', 'echo "{}"'] }), makeContext({ cwd: '/' }))
      expect([inShell.stdout, byItself.stdout]).toEqual(['{}\n', '{}\n'])
      rmSync(home, { recursive: true })
    },
  )

  it('holds what the settings set, over what the host has', () => {
    const env = commandEnvironment({ COLOUR: 'red', SHAPE: 'round' }, commandHook('x', {}, { env: { COLOUR: '$HOME/blue' } }), makeContext())
    expect(env).toMatchObject({ COLOUR: '$HOME/blue', SHAPE: 'round' })
  })

  it.each(['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_ENV_FILE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDECODE'])(
    'lets no settings choose %s, which tells a guard where it is',
    (name) => {
      const context = makeContext({ projectDir: '/real', sessionId: 'real' })
      const env = commandEnvironment({}, commandHook('x', {}, { env: { [name]: '/elsewhere' } }), context)
      expect(env[name]).not.toBe('/elsewhere')
    },
  )

  it('holds the variables of its plugin that a shell can name', () => {
    const env = commandEnvironment(
      {},
      commandHook('x', {}, { variables: { CLAUDE_PLUGIN_ROOT: '/p', 'user_config.a-b': 'x', CLAUDE_PLUGIN_OPTION_A_B: 'x' } }),
      makeContext(),
    )
    expect(env).toMatchObject({ CLAUDE_PLUGIN_ROOT: '/p', CLAUDE_PLUGIN_OPTION_A_B: 'x' })
    expect(env).not.toHaveProperty(['user_config.a-b'])
  })

  it.each([
    ['has none without a level', {}],
    ['has none for a level that is no text', { effort: { level: 3 } }],
    ['has none for an effort that is nothing', { effort: null }],
  ])('%s of effort', (_name, input) => {
    expect(commandEnvironment({}, commandHook('x'), makeContext({ input }))).not.toHaveProperty('CLAUDE_EFFORT')
  })

  it('has no file for variables where the event has none', () => {
    expect(commandEnvironment({}, commandHook('x'), makeContext())).not.toHaveProperty('CLAUDE_ENV_FILE')
  })

  it('lets a name be only a name', () => {
    const env = commandEnvironment(JSON.parse('{"__proto__":"x","constructor":"y"}'), commandHook('x'), makeContext())
    expect(Object.keys(env)).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  })

  describe('when the host asks for no credentials in it', () => {
    const secrets = { ANTHROPIC_API_KEY: 'k', GITHUB_TOKEN: 't', AWS_SECRET_ACCESS_KEY: 's', PATH: '/bin' }
    const hook = commandHook('x', {}, { env: { NPM_TOKEN: 'n', COLOUR: 'red' }, variables: { CLAUDE_PLUGIN_OPTION_API_TOKEN: 'of the plugin' } })
    it.each([
      ['in its own environment', { ...secrets, CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '1' }, {}],
      ['in the settings', secrets, { CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: 'true' }],
    ])('%s, has none but the plugin own option', (_name, host, more) => {
      const env = commandEnvironment(host, { ...hook, env: { ...hook.env, ...more } }, makeContext())
      expect(Object.keys(env).filter((name) => /KEY|TOKEN/.test(name))).toEqual(['CLAUDE_PLUGIN_OPTION_API_TOKEN'])
      expect(env).toMatchObject({ PATH: '/bin', COLOUR: 'red' })
    })

    it('does not, has them', () => {
      expect(commandEnvironment({ ...secrets, CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '0' }, hook, makeContext())).toMatchObject({ ...secrets, NPM_TOKEN: 'n' })
    })
  })
})
