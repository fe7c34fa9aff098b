/** Real verdicts for tests: an engine with hooks in code that answer what the test wants. */
import { type Answer, createEngine, type Verdict } from '../../src/index.ts'

/** The verdict of PreToolUse hooks that give these answers, in this order. */
export async function verdictOf(
  answers: readonly Answer<'PreToolUse'>[],
  call: { tool?: string; input?: Record<string, unknown> } = {},
): Promise<Verdict<'PreToolUse'>> {
  await using engine = createEngine({ sessionId: 's-1', cwd: '/srv/app' })
  for (const answer of answers) engine.on('PreToolUse', () => answer)
  return await engine.fire('PreToolUse', { tool_name: call.tool ?? 'Bash', tool_input: call.input ?? { command: 'git push origin' }, tool_use_id: 'tu-1' })
}
