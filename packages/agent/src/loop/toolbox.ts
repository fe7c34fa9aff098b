/** The tools of one conversation: by name and former name, the deferred ones hidden until they are revealed. */
import { z } from 'zod'
import type { ToolSpec } from '../model/port.ts'
import type { AnyTool, Services } from '../tools/tool.ts'

export interface Toolbox {
  find(name: string): AnyTool | undefined
  /** What the model is told of, in order: tools that are revealed and whose service is there. */
  specs(services: Services): readonly ToolSpec[]
  names(): readonly string[]
  all(): readonly AnyTool[]
  /** Not offered yet, and found with ToolSearch; `services` leaves out those that cannot work. */
  deferred(services?: Services): readonly AnyTool[]
  reveal(names: readonly string[]): void
  add(tools: readonly AnyTool[]): void
  remove(names: readonly string[]): void
}

/** `only` narrows to these names; former names count. */
export function createToolbox(tools: readonly AnyTool[], only?: readonly string[]): Toolbox {
  const byName = new Map<string, AnyTool>()
  const revealed = new Set<string>()
  const add = (more: readonly AnyTool[]) => {
    for (const tool of more) if (only === undefined || namesOf(tool).some((name) => only.includes(name))) byName.set(tool.name, tool)
  }
  add(tools)
  // What somebody chose by name, or nobody could find, is not hidden.
  const chosen = (tool: AnyTool) => only !== undefined || revealed.has(tool.name) || !byName.has('ToolSearch')
  const offered = (tool: AnyTool) => tool.deferred !== true || chosen(tool)
  const works = (tool: AnyTool, services: Services) => tool.needs === undefined || services[tool.needs] !== undefined
  return {
    find: (name) => byName.get(name) ?? [...byName.values()].find((tool) => tool.aliases?.includes(name)),
    specs: (services) => [...byName.values()].filter((tool) => offered(tool) && works(tool, services)).map(specOf),
    names: () => [...byName.keys()],
    all: () => [...byName.values()],
    deferred: (services) => [...byName.values()].filter((tool) => !offered(tool) && (services === undefined || works(tool, services))),
    reveal: (names) => {
      for (const name of names) revealed.add(name)
    },
    add,
    remove: (names) => {
      for (const tool of [...byName.values()]) if (namesOf(tool).some((name) => names.includes(name))) byName.delete(tool.name)
    },
  }
}

const specs = new WeakMap<AnyTool, ToolSpec>()

function specOf(tool: AnyTool): ToolSpec {
  let spec = specs.get(tool)
  if (spec === undefined) {
    spec = {
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema ?? z.toJSONSchema(tool.schema, { io: 'input', unrepresentable: 'any' }),
    }
    specs.set(tool, spec)
  }
  return spec
}

function namesOf(tool: AnyTool): readonly string[] {
  return [tool.name, ...(tool.aliases ?? [])]
}
