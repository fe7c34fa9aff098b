/** `hookline fire`: the verdict as a document and in words, the exit code that says whether to go on, and how it ends early. */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { documentOf, type Project, project } from './start.ts'

const bash = ['--tool', 'Bash', '--tool-input', '{"command":"git push"}']

/** Settings with one command hook. */
function one(event: string, command: string, more: object = {}): string {
  return JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command, ...more }] }] } })
}
const decide = (decision: string, reason = 'because') =>
  one(
    'PreToolUse',
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, permissionDecisionReason: reason } })}'`,
  )

describe('the exit code', () => {
  const here = project()
  const rows: [what: string, code: number, args: string[], settings: string, says: RegExp][] = [
    ['0 when nobody objects', 0, ['PreToolUse', ...bash], one('PreToolUse', 'true'), /^go on: 1 hook ran, none objects$/m],
    ['0 when there is no hook', 0, ['Stop'], '{}', /^go on: no hook is configured for Stop$/m],
    [
      '2 when a hook ends with 2',
      2,
      ['PreToolUse', ...bash],
      one('PreToolUse', 'echo no pushing on Friday >&2; exit 2'),
      /^denied by session:1 echo no pushing.* \(exit 2, \d+ ms\): no pushing on Friday$/m,
    ],
    ['2 when a hook denies', 2, ['PreToolUse', ...bash], decide('deny'), /^denied by .*: because$/m],
    ['2 when a hook defers', 2, ['PreToolUse', ...bash], decide('defer'), /^deferred by session:1/m],
    ['2 when a hook asks, for nobody is there', 2, ['PreToolUse', ...bash], decide('ask'), /^denied, with nobody to ask: session:1 .* asks: because$/m],
    ['0 when a hook allows', 0, ['PreToolUse', ...bash], decide('allow'), /^allowed by session:1 .*: because$/m],
    ['2 when a rule denies', 2, ['PreToolUse', ...bash], '{"permissions":{"deny":["Bash(git push *)"]}}', /^denied by the rule "Bash\(git push \*\)"/m],
    ['2 when a rule asks', 2, ['PreToolUse', ...bash], '{"permissions":{"ask":["Bash(git push *)"]}}', /^denied, with nobody to ask: .*Bash\(git push \*\)/m],
    [
      '2 when a rule denies what a hook allows',
      2,
      ['PreToolUse', ...bash],
      JSON.stringify({ ...JSON.parse(decide('allow')), permissions: { deny: ['Bash'] } }),
      /^denied by the rule "Bash"/m,
    ],
    ['0 when a rule allows', 0, ['PreToolUse', ...bash], '{"permissions":{"allow":["Bash(git push *)"]}}', /^go on: .*\(allow by rule\)$/m],
    ['2 when a stop is refused', 2, ['Stop'], one('Stop', 'echo more >&2; exit 2'), /^kept going by session:1 .*: more$/m],
    ['0 when a hook stops the turn', 0, ['Stop'], one('Stop', `echo '{"continue":false,"stopReason":"enough"}'`), /^stopped by session:1 .*: enough$/m],
    [
      '2 when a stop also refuses the call',
      2,
      ['PreToolUse', ...bash],
      one('PreToolUse', `echo '{"continue":false,"stopReason":"enough"}'`),
      /^denied by .*\nstopped by .*: enough$/m,
    ],
    [
      '0 when it was only feedback',
      0,
      ['PostToolUse', ...bash, '--set', 'tool_response=x'],
      one('PostToolUse', 'echo tidy up >&2; exit 2'),
      /^go on: 1 hook ran, 1 gave feedback$/m,
    ],
    ['0 when a hook fails', 0, ['Stop'], one('Stop', 'echo oops >&2; exit 1'), /^failed {3}session:1 .*: oops\ngo on: 1 hook ran, 1 failed$/m],
    ['2 when a hook that fails closed fails', 2, ['PreToolUse', ...bash], one('PreToolUse', 'exit 1', { onFailure: 'block' }), /^denied by /m],
  ]

  test.each(rows)('is %2$s%1$s', async (_what, code, args, settings, says) => {
    const done = await here.hookline(['fire', ...args, '--settings', settings])
    expect(done.stdout).toMatch(says)
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code, stderr: '' })
  })
})

describe('the document', () => {
  const here = project()

  test('is the verdict, with what becomes of the call behind the permission', async () => {
    const done = await here.hookline(['fire', 'PreToolUse', ...bash, '--settings', decide('ask', 'money moves'), '--json'])
    const document = documentOf(done)
    expect(done.code).toBe(2)
    expect(document).toMatchObject({
      version: 1,
      kind: 'verdict',
      event: 'PreToolUse',
      permission: { behavior: 'ask', reason: 'money moves', by: ['session:1:PreToolUse:0:0'] },
      resolved: { behavior: 'deny', cause: 'nobody-to-ask', reason: 'money moves' },
      blocked: false,
      toUser: 'money moves',
      hooks: [{ id: 'session:1:PreToolUse:0:0', status: 'ran', ending: { kind: 'exited', code: 0 }, answer: { permission: 'ask' } }],
    })
    expect(Object.keys(document).slice(0, 2)).toEqual(['version', 'kind'])
    expect(Object.keys(document).indexOf('resolved')).toBe(Object.keys(document).indexOf('permission') + 1)
    expect(done.stdout).not.toContain('null')
  })

  test('has nothing about permission where an event has none', async () => {
    const document = documentOf(await here.hookline(['fire', 'Stop', '--json']))
    expect(document).not.toHaveProperty('permission')
    expect(document).not.toHaveProperty('resolved')
  })

  test('comes last of the trace lines with --json=lines', async () => {
    const done = await here.hookline(['fire', 'Stop', '--settings', one('Stop', 'exit 2', { statusMessage: 'Looking' }), '--json=lines'])
    const lines = done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map((line) => line.kind)).toEqual(['fired', 'started', 'ended', 'verdict', 'verdict'])
    expect(lines[1]).toMatchObject({ statusMessage: 'Looking', hook: { label: expect.any(String) } })
    expect(lines.at(-1)).toMatchObject({ version: 1, kind: 'verdict', blocked: true })
    expect(done.code).toBe(2)
  })

  test('is alone on stdout, whatever is said beside it', async () => {
    here.write('.claude/settings.json', one('Stop', 'exit 2'))
    here.write('.claude/settings.local.json', '{')
    const done = await here.hookline(['fire', 'Stop', '--json', '--verbose'])
    expect(documentOf(done)).toMatchObject({ kind: 'verdict', hooks: [{ status: 'skipped', skipped: { why: 'untrusted' } }] })
    expect(done.stderr).toMatch(/settings\.local\.json:1:\d+ error invalid-json/)
    expect(done.stderr).toContain('left out')
  })
})

describe('without a trust store and a terminal', () => {
  const here = project()
  here.write('.claude/settings.json', one('Stop', 'echo project >&2; exit 2'))
  here.write('.claude/settings.local.json', one('Stop', 'echo local >&2; exit 2'))
  here.writeHome('.claude/settings.json', one('Stop', 'touch "$HOME/user-ran"'))

  test('what the folder brings is left out and named, what the person wrote runs', async () => {
    const done = await here.hookline(['fire', 'Stop'])
    expect(done.code).toBe(0)
    expect(done.stdout).toMatch(/^ok {7}user ~\/\.claude\/settings\.json:1 touch/m)
    expect(done.stderr).toMatch(/^2 hooks of this folder were left out/)
    expect(done.stderr).toMatch(/project \.claude\/settings\.json:1 echo project\n {2}local \.claude\/settings\.local\.json:1 echo local/)
    expect(done.stderr).toContain('--trust')
    expect(existsSync(`${here.home}/user-ran`)).toBe(true)
  })

  test('--trust runs it', async () => {
    const done = await here.hookline(['fire', 'Stop', '--trust'])
    expect(done).toMatchObject({ code: 2, stderr: '' })
    expect(done.stdout).toMatch(/^kept going by project \.claude\/settings\.json:1 .*, local \.claude\/settings\.local\.json:1/m)
  })

  test('--no-hooks runs nothing, trusted or not', async () => {
    const done = await here.hookline(['fire', 'Stop', '--trust', '--no-hooks', '--verbose'])
    expect(done.code).toBe(0)
    expect(done.stdout).toMatch(/^skipped {2}user .*: policy/m)
    expect(done.stdout).toMatch(/^go on: no hook ran, 3 hooks skipped$/m)
  })

  test('--cwd takes the settings of another folder', async () => {
    const done = await here.hookline(['fire', 'Stop', '--trust', '--cwd', here.folder], { cwd: here.home })
    expect(done.code).toBe(2)
    expect(done.stdout).toContain('project .claude/settings.json:1')
  })
})

describe('in words', () => {
  const here = project()

  test('what a hook wrote cannot steer the terminal', async () => {
    const settings = one('UserPromptSubmit', String.raw`printf 'safe \033[31mred\033]0;title\007 \342\200\256drowssap'`)
    const { stdout } = await here.hookline(['fire', 'UserPromptSubmit', '--set', 'prompt=x', '--settings', settings, '--verbose'])
    expect(stdout).toContain('stdout: safe red drowssap')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('colours come only when they are asked for', async () => {
    const run = (env: Record<string, string>, ...args: string[]) => here.hookline(['fire', 'Stop', ...args], { env })
    const colored = (text: string) => text.includes('\u001b[')
    expect(colored((await run({})).stdout)).toBe(false)
    expect(colored((await run({ FORCE_COLOR: '1' })).stdout)).toBe(true)
    expect(colored((await run({ FORCE_COLOR: '1', NO_COLOR: '1' })).stdout)).toBe(false)
    expect(colored((await run({ FORCE_COLOR: '1' }, '--no-color')).stdout)).toBe(false)
    expect(colored((await run({ FORCE_COLOR: '1' }, '--json')).stdout)).toBe(false)
  })

  test('texts for model and user are labelled, and so is a new input', async () => {
    const output = {
      systemMessage: 'look here',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'git push --dry-run' },
        additionalContext: 'be careful',
      },
    }
    const { stdout } = await here.hookline(['fire', 'PreToolUse', ...bash, '--settings', one('PreToolUse', `echo '${JSON.stringify(output)}'`)])
    expect(stdout).toContain('new input: {"command":"git push --dry-run"}')
    expect(stdout).toMatch(/^to the model: .*be careful/m)
    expect(stdout).toMatch(/^to the user: .*look here/m)
  })
})

async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await sleep(20)
}

/** Starts a fire whose hook sleeps, and sends `signal` once the hook runs. */
async function interrupted(here: Project, signal: NodeJS.Signals, args: string[] = []) {
  const pid = `${here.folder}/pid`
  const done = await here.hookline(['fire', 'Stop', '--settings', one('Stop', 'echo $$ > pid.new; mv pid.new pid; sleep 60'), ...args], {
    started: (child) => {
      void untilThere(pid).then(() => child.kill(signal))
    },
  })
  return { done, pid: Number(readFileSync(pid, 'utf8')) }
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s while a hook runs', (signal) => {
  test('ends the hook and exits with 130', async () => {
    const { done, pid } = await interrupted(project(), signal)
    expect(done).toMatchObject({ code: 130, stdout: '' })
    expect(done.stderr).toMatch(/^hookline: interrupted/)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('is told in the document', async () => {
    const { done } = await interrupted(project(), signal, ['--json'])
    expect(done.code).toBe(130)
    expect(documentOf(done)).toMatchObject({ kind: 'error', code: 'interrupted', exit: 130 })
  })
})

test('a reader of stdout that leaves early is no error, and the exit code stands', async () => {
  const here = project()
  const done = await here.hookline(['fire', 'Stop', '--settings', one('Stop', 'sleep 0.5; exit 2')], { started: (child) => child.stdout?.destroy() })
  expect(done).toMatchObject({ code: 2, stderr: '' })
})

describe('background hooks', () => {
  const here = project()
  const background = (command: string, more: object = { async: true }) => one('Stop', command, more)

  test('are waited for after the verdict, and what they say is a note', async () => {
    const done = await here.hookline([
      'fire',
      'Stop',
      '--settings',
      background('sleep 0.3; touch late; echo wake up >&2; exit 2', { asyncRewake: true }),
      '--json',
    ])
    expect(documentOf(done)).toMatchObject({ kind: 'verdict', blocked: false, hooks: [{ ending: { kind: 'deferred' } }] })
    expect(done.stderr).toMatch(/^Waiting for 1 background hook; Ctrl-C ends it\.\nlater, to the model: .*wake up\n$/)
    expect(done.code).toBe(0)
    expect(existsSync(`${here.folder}/late`)).toBe(true)
  })

  test('are ended by an interrupt, which leaves the one document alone', async () => {
    const pid = `${here.folder}/pid`
    const done = await here.hookline(['fire', 'Stop', '--settings', background('echo $$ > pid.new; mv pid.new pid; sleep 60'), '--json'], {
      started: (child) => {
        // The document is out before the wait begins.
        child.stderr?.once('data', () => void untilThere(pid).then(() => child.kill('SIGINT')))
      },
    })
    expect(done.code).toBe(130)
    expect(documentOf(done)).toMatchObject({ kind: 'verdict' })
    expect(done.stderr).toMatch(/interrupted; ended it\.$/m)
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
  })
})
