/** Hooks and calls for handler tests: real ones in all but the engine around them. */
import { tmpdir } from 'node:os'
import { events } from '../../src/protocol/events.ts'
import type { HandlerSpec } from '../../src/protocol/handler-spec.ts'
import type { HookInfo, SourceKind } from '../../src/protocol/hook.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../src/protocol/runner.ts'

/** A hook as the engine hands it to a handler. */
export function makeHook(parts: Partial<Omit<RunnableHook, 'info'>> & { source?: SourceKind; label?: string; flags?: HookInfo['flags'] }): RunnableHook {
  const { source = 'project', label = 'hook under test', flags = [], ...rest } = parts
  const type = rest.spec?.type ?? 'callback'
  return {
    info: {
      id: `${source}:PreToolUse:0:0`,
      event: events.PreToolUse.name,
      type,
      label,
      source: { id: source, kind: source },
      timeout: 600,
      flags,
      digest: 'd',
      trust: 'not-needed',
    },
    ...rest,
  }
}

/** A command hook. */
export function commandHook(
  command: string,
  more: Partial<Extract<HandlerSpec, { type: 'command' }>> = {},
  parts: Parameters<typeof makeHook>[0] = {},
): RunnableHook {
  return makeHook({ ...parts, spec: { type: 'command', command, ...more } })
}

/** A call, with a payload made from its input unless one is given. */
export function makeContext(parts: Partial<RunContext> = {}): RunContext {
  const input = parts.input ?? {
    session_id: 's-1',
    transcript_path: '',
    cwd: tmpdir(),
    hook_event_name: events.PreToolUse.name,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'toolu_1',
  }
  return {
    row: events.PreToolUse,
    callId: 'c-1',
    sessionId: 's-1',
    input,
    payload: new TextEncoder().encode(JSON.stringify(input)),
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    locals: {},
    projectDir: tmpdir(),
    cwd: tmpdir(),
    ...parts,
  }
}

/** Runs a hook and waits, whether or not the handler had to. */
export async function runHook(runner: HandlerRunner, hook: RunnableHook, context: RunContext): Promise<RawResult> {
  return await runner.run(hook, context)
}
