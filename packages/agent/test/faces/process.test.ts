/** The real command as a process: signals end the session properly, a kill at any moment loses nothing that was acknowledged. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bash, type Stage, setStage } from '../stage.ts'

const hook = (command: string) => ({ hooks: [{ type: 'command', command }] })
const id = '11111111-2222-4333-8444-555555555555'

async function until(check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !check(); tries++) await sleep(50)
  if (!check()) throw new Error('it did not happen')
}

const transcriptOf = (stage: Stage) => {
  const folder = join(stage.home, 'state/hookline/transcripts')
  const [project = ''] = existsSync(folder) ? readdirSync(folder) : []
  return join(folder, project, `${id}.jsonl`)
}

describe('A signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the turn and the session: SessionEnd fires, the exit code is %i', async (signal, code) => {
    const stage = await setStage({
      turns: [bash('touch started; sleep 60'), 'never'],
      settings: { hooks: { SessionEnd: [hook('cat > ended.json')], Stop: [hook('touch stopped')] }, permissions: { allow: ['Bash'] } },
    })
    const running = stage.run(['-p', 'hello', '--output-format', 'stream-json', '--trust'], {
      onSpawn: (pid) => void until(() => existsSync(join(stage.cwd, 'started'))).then(() => process.kill(pid, signal)),
    })
    const ran = await running
    expect(ran.code).toBe(code)
    expect(JSON.parse(readFileSync(join(stage.cwd, 'ended.json'), 'utf8'))).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'other' })
    expect(existsSync(join(stage.cwd, 'stopped'))).toBe(false)
    expect(ran.lines.at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution', is_error: true })
  })
})

describe('kill -9', () => {
  test.each([
    ['while the model answers', [{ hang: true as const }], (stage: Stage) => stage.requests.length > 0],
    ['while a tool runs', [bash('touch started; sleep 60')], (stage: Stage) => existsSync(join(stage.cwd, 'started'))],
    ['between two requests', [bash('echo one'), { hang: true as const }], (stage: Stage) => stage.requests.length > 1],
  ])('%s: the session goes on, with all that was said', async (_, turns, when) => {
    const stage = await setStage({
      turns: [...turns, 'went on'],
      settings: { permissions: { allow: ['Bash'] }, hooks: { UserPromptSubmit: [hook('echo CTX-PROMPT')] } },
    })
    await stage.run(['-p', 'the first prompt', '--session-id', id, '--trust'], {
      onSpawn: (pid) => void until(() => when(stage)).then(() => process.kill(pid, 'SIGKILL')),
    })
    const before = stage.requests.length
    const lines = readFileSync(transcriptOf(stage), 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    for (const line of lines) JSON.parse(line)
    const again = await stage.run(['-p', 'go on', '--resume', id, '--output-format', 'json', '--trust'])
    expect(JSON.parse(again.stdout)).toMatchObject({ result: 'went on', session_id: id })
    const told = stage.told(before)
    for (const text of ['the first prompt', 'CTX-PROMPT', 'go on']) expect(told).toContain(text)
    const asked = JSON.stringify(stage.requests[before]?.body.messages)
    expect(asked.match(/"tool_use"/g)?.length ?? 0).toBe(asked.match(/"tool_result"/g)?.length ?? 0)
  })
})

describe('The command', () => {
  test('prints one stream with the hooks of a session, as programs read it', async () => {
    const stage = await setStage({
      turns: [bash('echo hi'), 'done'],
      settings: { hooks: { PreToolUse: [{ matcher: 'Bash', ...hook('exit 0') }], Stop: [hook('exit 0')] }, permissions: { allow: ['Bash'] } },
    })
    const ran = await stage.run(['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--include-hook-events', '--trust'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.lines.filter((line) => line['subtype'] === 'hook_response').map((line) => line['hook_name'])).toEqual(['PreToolUse:Bash', 'Stop'])
    expect(ran.lines.at(-1)).toMatchObject({ type: 'result', result: 'done' })
  })
})
