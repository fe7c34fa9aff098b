/** Whether hooks in code are asked directly or walked to: the verdict, the reports and the notices are the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Diagnostic, Hookline, HookOptions } from '../../src/index.ts'
import { call, engine } from './opened.ts'

/** What a hook gives back, by name, so that a failing case can be read. */
const answers: Record<string, () => unknown> = {
  nothing: () => undefined,
  null: () => null,
  'an empty answer': () => ({}),
  context: () => ({ context: 'look here' }),
  denial: () => ({ permission: 'deny', reason: 'no' }),
  question: () => ({ permission: 'ask', reason: 'really?' }),
  rewrite: () => ({ updatedInput: { command: 'pwd' } }),
  stop: () => ({ stop: 'enough' }),
  message: () => ({ message: 'hello' }),
  'a wrong type': () => ({ context: 7 }),
  'no object': () => 'yes',
  throw: () => {
    throw new Error('broken')
  },
}

const hooks = fc.array(
  fc.record({
    answer: fc.constantFrom(...Object.keys(answers)),
    how: fc.constantFrom('at once', 'in a promise', 'later', 'by a thenable'),
    looks: fc.boolean(),
    matcher: fc.constantFrom(undefined, undefined, 'Bash', 'Write', 'B.*', 'Edit|Bash'),
    onFailure: fc.constantFrom(undefined, undefined, 'block' as const),
  }),
  { maxLength: 4 },
)
type Written = typeof hooks extends fc.Arbitrary<infer T> ? T : never

function callbackOf({ answer, how, looks }: Written[number]) {
  const say = answers[answer] as () => unknown
  const given = async () => say()
  const act =
    how === 'at once'
      ? say
      : how === 'in a promise'
        ? given
        : how === 'later'
          ? () => new Promise((resolve) => setImmediate(resolve)).then(say)
          : // biome-ignore lint/suspicious/noThenProperty: the thenable of another library
            () => ({ then: (yes: (value: unknown) => void, no: (error: unknown) => void) => void given().then(yes, no) })
  // The second kind takes nothing, and is asked with nothing.
  return looks ? (input: { tool_name?: string }) => (input.tool_name === undefined ? undefined : act()) : () => act()
}

interface Seen {
  promised: boolean
  verdict: object
  keys: string[]
  notices: string[]
}

test('a verdict does not tell how its hooks were asked', async () => {
  await fc.assert(
    fc.asyncProperty(hooks, async (written) => {
      const notices: Diagnostic[] = []
      const h = engine({ onNotice: (notice) => notices.push(notice) })
      for (const hook of written) {
        const { matcher, onFailure } = hook
        const options: HookOptions = { ...(matcher === undefined ? {} : { matcher }), ...(onFailure === undefined ? {} : { onFailure }) }
        h.on('PreToolUse', options, callbackOf(hook) as never)
      }
      const fire = async (how: 'directly' | 'walked'): Promise<Seen> => {
        notices.length = 0
        // Options take every call through the corridor.
        const fired = how === 'directly' ? h.fireNow('PreToolUse', call()) : h.fireNow('PreToolUse', call(), {})
        return seen(await fired, { promised: fired instanceof Promise, notices })
      }
      // Hooks are trusted to be quick when they were; so this is walked, walked, asked, asked …
      const walked = await fire('walked')
      for (let time = 0; time < 4; time++) expect(await fire('directly')).toEqual(walked)
      expect(await fire('walked')).toEqual(walked)
      await h.close()
    }),
    { numRuns: 150 },
  )
}, 120_000)

/** What can be compared: without ids and times, and without the warning that a hook keeps failing, which comes with the third failure. */
function seen(verdict: Awaited<ReturnType<Hookline['fire']>>, { promised, notices }: { promised: boolean; notices: readonly Diagnostic[] }): Seen {
  const document = JSON.parse(JSON.stringify(verdict), (key, value) => (key === 'callId' || key === 'ms' ? 0 : value)) as object
  return {
    promised,
    verdict: { ...document, input: verdict.input, event: verdict.event, sessionId: verdict.sessionId },
    keys: Object.keys(verdict).filter((key) => !['made', 'fold', 'reports', 'way', 'held'].includes(key)),
    notices: notices.filter(({ code }) => code !== 'hook-keeps-failing').map(({ code, message }) => `${code} ${message}`),
  }
}
