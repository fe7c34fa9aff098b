/** Prompt hooks on the command line: the model of `@hookline/agent` when it is installed, and a word about it when it is not. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../house/reading.ts'

let tree = ''
beforeAll(() => {
  const home = join(root, 'packages/hookline')
  if (!existsSync(join(home, 'dist/cli.cjs'))) throw new Error('The command line is not built: run "npm run build" first.')
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-model-')))
  // An installation of its own, beside which a model may be installed or not.
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(home, part), join(tree, 'node_modules/hookline', part), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'hookline' && name !== '@hookline') symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name))
  }
  write('project/.claude/settings.json', {
    hooks: {
      PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'No deployments. $ARGUMENTS' }] }],
      Stop: [{ hooks: [{ type: 'agent', prompt: 'Is done.txt there?' }] }],
      Notification: [{ hooks: [{ type: 'command', command: 'true' }] }],
    },
  })
  write('project/done.txt', 'yes')
})
afterAll(() => rmSync(tree, { recursive: true, force: true }))

function write(path: string, content: string | object): void {
  const file = join(tree, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

/** Installs a package that brings models, with this as its module. */
function install(module: string): void {
  write('node_modules/@hookline/agent/package.json', { name: '@hookline/agent', type: 'module', exports: { './model': './model.js' } })
  write('node_modules/@hookline/agent/model.js', module)
}

function hookline(...args: string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: join(tree, 'home'), ANTHROPIC_API_KEY: 'from the environment' }
  return spawnSync(process.execPath, [join(tree, 'node_modules/hookline/bin/hookline.cjs'), ...args], { cwd: join(tree, 'project'), env, encoding: 'utf8' })
}
const deploy = ['PreToolUse', '--tool', 'Bash', '--tool-input', '{"command":"deploy now"}']

describe('without a package that brings models', () => {
  test('fire leaves the hook out and says how to get one', () => {
    const { status, stderr } = hookline('fire', ...deploy, '--trust')
    expect(status).toBe(0)
    expect(stderr).toBe(
      '1 hook left out for want of a model: the package @hookline/agent, which brings models, is not installed beside hookline. Install it with "npm install @hookline/agent".\n',
    )
  })

  test('run says what is missing and how to get it', () => {
    const { status, stdout, stderr } = hookline('run', '-p', 'hi')
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'hookline: the agent is not installed.\n  Add it with `npm install @hookline/agent`.\n',
    })
  })

  test('one in the project is not loaded: it would be code of the folder', () => {
    write('project/node_modules/@hookline/agent/package.json', { name: '@hookline/agent', type: 'module', exports: { './model': './model.js' } })
    write('project/node_modules/@hookline/agent/model.js', 'export const createModel = () => { throw new Error("code of the folder") }')
    expect(hookline('fire', ...deploy, '--trust').stderr).toContain('is not installed beside hookline')
  })

  test('a hook that nobody vouched for is left out for want of trust alone', () => {
    expect(hookline('fire', ...deploy).stderr).not.toContain('model')
  })

  test('events without such hooks say nothing', () => {
    expect(hookline('fire', 'Notification', '--trust', '--set', 'message=x', '--set', 'notification_type=idle_prompt').stderr).toBe('')
  })
})

describe('with one', () => {
  test('fire asks it, with the environment of the command', () => {
    install(`export const createModel = async ({ env }) => async ({ messages }) => ({
      text: JSON.stringify({ ok: !messages[0].text.includes('deploy now'), reason: env.ANTHROPIC_API_KEY }), finish: 'stop' })`)
    const { status, stdout, stderr } = hookline('fire', ...deploy, '--trust', '--json')
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ blocked: true, hooks: [{ ending: { kind: 'judged', ok: false, reason: 'from the environment' } }] })
    expect(hookline('explain', ...deploy, '--trust').stdout).toContain('1 of 1 hook would run')
  })

  test('an agent hook looks at the files of the folder', () => {
    install(`export const createModel = async () => async ({ messages }) => {
      const found = messages.at(-1).text.includes('done.txt')
      const call = messages.length === 1 ? { name: 'Glob', input: { pattern: '*.txt' } } : { name: 'StructuredOutput', input: { ok: !found, reason: 'found it' } }
      return { text: '', finish: 'tool-calls', toolCalls: [{ id: '1', ...call }] } }`)
    expect(hookline('fire', 'Stop', '--trust')).toMatchObject({ status: 2, stdout: expect.stringContaining('found it') })
  })

  test.each([
    ['no model is configured', 'export const createModel = async () => undefined', 'no model is configured. Set a key of a provider'],
    [
      'it cannot be used',
      'export const createModel = async () => { throw Object.assign(new Error("No such model."), { hint: "Name another." }) }',
      'cannot be used: No such model. Name another.',
    ],
    ['it cannot be loaded', 'import "no-such-package-at-all"', "cannot be used: Cannot find package 'no-such-package-at-all'"],
  ])('it is said that %s', (_what, module, says) => {
    install(module)
    const { status, stderr } = hookline('fire', ...deploy, '--trust')
    expect(status).toBe(0)
    expect(stderr).toContain(says)
    expect(hookline('explain', ...deploy, '--trust').stderr).toContain(says)
  })
})
