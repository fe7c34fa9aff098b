/** Which calls a rule's tool name is about: names, former names, families of tools, MCP servers, globs. */
import { toolAliases } from '../protocol/tools.ts'
import type { RuleCall } from './call.ts'
import type { RuleUse } from './rule.ts'
import { matchesStars } from './stars.ts'

/** Tools that a rule with the first name covers in permission lists, never in `if` (design decision 11). */
const families: Readonly<Record<string, ReadonlySet<string>>> = {
  Edit: new Set(['Write', 'NotebookEdit', 'MultiEdit']),
  Read: new Set(['Grep', 'Glob', 'LSP']),
  Bash: new Set(['Monitor']),
}

/** The tool belongs to the family of `name`, or is it. */
export function inFamily(name: string, tool: string): boolean {
  return name === tool || (Object.hasOwn(families, name) && families[name]?.has(tool) === true)
}

/** The name that a former name of a tool stands for. */
function nowOf(name: string): string | undefined {
  return Object.hasOwn(toolAliases, name) ? toolAliases[name] : undefined
}

/** Whether a rule about `ruleTool` speaks of this call at all. */
export function namesTool(ruleTool: string, call: RuleCall, use: RuleUse): boolean {
  const { tool } = call
  if (ruleTool === tool || nowOf(tool) === ruleTool || nowOf(ruleTool) === tool) return true
  if (use === 'condition') return false
  if (inFamily(ruleTool, tool)) return true
  if (use === 'restrict' && ruleTool.includes('*') && !ruleTool.startsWith('mcp__')) return matchesStars(ruleTool, tool)
  return namesServer(ruleTool, call, use)
}

/** `mcp__server`, `mcp__server__*` and, to forbid or ask, any other glob such as `mcp__*`. */
function namesServer(ruleTool: string, { tool, mcpServer }: RuleCall, use: RuleUse): boolean {
  if (!tool.startsWith('mcp__') || !ruleTool.startsWith('mcp__')) return false
  const [server = '', ...rest] = ruleTool.slice('mcp__'.length).split('__')
  const glob = ruleTool.includes('*')
  if (use === 'restrict' && glob) return matchesStars(ruleTool, tool)
  if (server === '' || server.includes('*')) return false
  // A server may have "__" in its name: when the host says which one it is, that decides.
  if (
    use === 'grant' &&
    mcpServer !== undefined &&
    mcpServer.name.replace(/[^\w-]/g, '_') !==
      (rest.length > 0 && glob ? ruleTool.slice('mcp__'.length, ruleTool.lastIndexOf('__')) : ruleTool.slice('mcp__'.length))
  )
    return false
  if (rest.length === 0 || !glob) return tool.startsWith(`${ruleTool}__`)
  return matchesStars(ruleTool, tool)
}
