/** The part of the composition root that wires models and MCP servers in; each handler is loaded when its first hook runs. */
import { emptySnapshot } from '../config/empty.ts'
import type { Snapshot } from '../config/snapshot.ts'
import { HooklineScope } from '../engine/hookline.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { Hookline } from '../engine/surface.ts'
import { HooklineError } from '../errors.ts'
import { createFunctionHandler } from '../handlers/function.ts'
import { lateHandler } from '../handlers/late.ts'
import { listHostRules } from '../permission/host-rules.ts'
import { judgeRules } from '../permission/judge-rules.ts'
import { realPathOf } from '../platform/real-path.ts'
import type { Mcp, Model, VerifierTool } from '../protocol/ports.ts'
import type { HandlerRunner, RunContext } from '../protocol/runner.ts'
import { verifierSessions } from '../station/verifier-session.ts'

/** What the wiring takes beside the host's options. */
export interface ModelGround {
  readonly snapshot: () => Snapshot
  readonly home: string
}

/** The handlers for what the host brings. */
export function modelRunners(options: Pick<EngineOptions, 'model' | 'mcp' | 'tools' | 'permissions'>, ground: ModelGround): HandlerRunner[] {
  const { model, mcp } = options
  return [...(model === undefined ? [] : judges(model, options, ground)), ...(mcp === undefined ? [] : [tools(mcp)])]
}

/**
 * Brings a model to a Hookline that was opened without one: prompt and agent hooks run from the next event on.
 * @throws HooklineError `invalid-option` for anything but what `createHookline` made.
 */
export function provideModel(hookline: Hookline, model: Model): void {
  if (!(hookline instanceof HooklineScope)) throw new HooklineError('invalid-option', 'provideModel: give the Hookline that createHookline made.')
  const { engine } = hookline
  for (const runner of judges(model, {}, { snapshot: () => engine.snapshot, home: engine.parts.home ?? '' })) engine.addRunner(runner)
}

function judges(model: Model, options: Pick<EngineOptions, 'tools' | 'permissions'>, ground: ModelGround): HandlerRunner[] {
  const openVerifier = verifierSessions(() => ({ snapshot: emptySnapshot, runners: [createFunctionHandler()] }))
  const toolsFor = (context: RunContext) => options.tools ?? readers(context, options, ground)
  return [
    lateHandler('prompt', async () => (await import('../handlers/prompt.ts')).createPromptHandler({ model })),
    lateHandler('agent', async () => (await import('../handlers/agent.ts')).createAgentHandler({ model, toolsFor, openVerifier })),
  ]
}

function tools(mcp: Mcp): HandlerRunner {
  return lateHandler('mcp_tool', async () => (await import('../handlers/mcp-tool.ts')).createMcpToolHandler({ mcp }))
}

/** Read, Glob and Grep, which keep to the deny and ask rules that hold for reading: nobody can be asked while a verifier works. */
async function readers(
  { cwd, projectDir }: RunContext,
  { permissions }: Pick<EngineOptions, 'permissions'>,
  { snapshot, home }: ModelGround,
): Promise<readonly VerifierTool[]> {
  const [{ verifierTools }, { groundOf }] = await Promise.all([import('../platform/verifier-tools.ts'), import('../platform/reading-ground.ts')])
  const rules = [...snapshot().rules, ...listHostRules(permissions?.rules)].filter(({ list }) => list !== 'allow')
  const mayRead = (path: string): boolean =>
    rules.length === 0 ||
    judgeRules(rules, { tool: 'Read', input: { file_path: path }, cwd, root: projectDir, home, realPath: realPathOf }).behavior === 'passthrough'
  return verifierTools(groundOf({ cwd, projectDir, mayRead }))
}
