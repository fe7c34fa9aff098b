/** What the event table means to the compiler: inputs narrow, answers refuse words of other events, verdicts hold only their powers. */
import { expectTypeOf, test } from 'vitest'
import type { HookInput } from '../../src/protocol/event-types.ts'

test('a matcher narrows tool_input', () => {
  expectTypeOf<HookInput<'PreToolUse', 'Bash'>['tool_input']['command']>().toEqualTypeOf<string>()
})
