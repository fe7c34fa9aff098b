/** A conversation for tests of tools: a real folder, a real engine, and what the tool asked of the rest of the agent. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createEngine, type Hookline } from 'hookline'
import { afterEach } from 'vitest'
import type { AnyTool, BackgroundTask, Services, ToolContext, ToolResult, Workspace } from '../../src/tools/tool.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

export interface ToolBench {
  root: string
  engine: Hookline
  workspace: Workspace
  background: BackgroundTask[]
  moves: [string, string][]
  touched: string[]
  progress: string[]
  path(name: string): string
  put(name: string, content: string | Buffer): Promise<string>
  /** Checks the input as the loop does, then runs the tool. */
  run(tool: AnyTool, input: unknown, options?: { signal?: AbortSignal; id?: string }): Promise<ToolResult>
  /** The message of the error that the tool threw. */
  fails(tool: AnyTool, input: unknown): Promise<string>
}

export async function openBench(
  options: { env?: Record<string, string>; services?: Services; hooks?: Parameters<typeof createEngine>[0] } = {},
): Promise<ToolBench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hookline-tools-')))
  const engine = createEngine({ cwd: root, ...options.hooks })
  const background: BackgroundTask[] = []
  const moves: [string, string][] = []
  const touched: string[] = []
  const progress: string[] = []
  closers.push(async () => {
    for (const task of background) {
      task.stop()
      await task.done
    }
    await engine.close()
    await rm(root, { recursive: true, force: true })
  })
  const workspace: Workspace = {
    sessionId: engine.sessionId,
    scope: engine,
    cwd: root,
    root,
    env: { ...process.env, HOME: root, ...options.env },
    filesRead: new Map(),
    services: {
      background,
      cwdChanged: async (from, to) => void moves.push([from, to]),
      fileTouched: (path) => void touched.push(path),
      ...options.services,
    },
  }
  const path = (name: string) => join(root, name)
  const run: ToolBench['run'] = async (tool, input, { signal = new AbortController().signal, id = 'toolu_1' } = {}) => {
    const context: ToolContext = { workspace, toolUseId: id, signal, progress: (text) => void progress.push(text) }
    const checked = tool.schema.parse(input)
    return tool.execute(tool.normalize?.(checked, workspace) ?? checked, context)
  }
  return {
    root,
    engine,
    workspace,
    background,
    moves,
    touched,
    progress,
    path,
    async put(name, content) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), content)
      return path(name)
    },
    run,
    async fails(tool, input) {
      const result = await run(tool, input).then(
        (it) => it,
        (error: unknown) => error,
      )
      if (!(result instanceof Error) || result.name !== 'ToolError') throw new Error(`no ToolError but ${String(result)} ${JSON.stringify(result)}`)
      return result.message
    },
  }
}
