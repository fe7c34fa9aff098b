/** Hooks in the background: their answers reach the model with the next request, a rewake starts a turn, nothing waits for them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bash, setStage } from '../stage.ts'

const context = (event: string, text: string) => `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`

describe('The answer of a background hook', () => {
  test('reaches the model with the next request after it is there', async () => {
    const stage = await setStage({
      turns: [bash('sleep 2'), 'done'],
      settings: {
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `sleep 0.3; ${context('UserPromptSubmit', 'CTX-LATE')}`, async: true }] }] },
        permissions: { allow: ['Bash'] },
      },
    })
    const { agent } = await stage.open()
    expect(await agent.ask('hello')).toMatchObject({ text: 'done' })
    expect(stage.told(0)).not.toContain('CTX-LATE')
    expect(stage.said(1)).toContain('CTX-LATE')
  })

  test('is never waited for, and the hook is ended with the session', async () => {
    const stage = await setStage({ turns: ['done'], settings: { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sleep 60', async: true }] }] } } })
    const { agent } = await stage.open()
    expect(await agent.ask('hello')).toMatchObject({ text: 'done' })
    expect(agent.session.scope.background).toHaveLength(1)
    await agent.close()
    expect(agent.session.scope.background).toHaveLength(0)
  })

  test('that wakes the model starts a turn when none runs', async () => {
    const stage = await setStage({
      turns: ['done', 'woken'],
      settings: {
        hooks: {
          Stop: [
            {
              hooks: [
                { type: 'command', command: 'if [ -e once ]; then exit 0; fi; touch once; sleep 0.5; echo the build broke >&2; exit 2', asyncRewake: true },
              ],
            },
          ],
        },
      },
    })
    const { agent, events } = await stage.open()
    await agent.ask('hello')
    for (let tries = 0; tries < 200 && agent.session.inbox.length === 0; tries++) await sleep(50)
    expect(events.map((event) => event.kind)).toContain('wake')
    expect(await agent.next()).toMatchObject({ text: 'woken' })
    expect(stage.said(1)).toContain('the build broke')
  })
})
