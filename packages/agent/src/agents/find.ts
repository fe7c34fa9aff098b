/** Finds subagent types in files: `.claude/agents/*.md` of the person and of the folder, later places win by name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { homeFolder } from 'hookline/node'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { Emit } from '../events.ts'
import type { AgentDefinition } from './definition.ts'

const words = z.union([z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== '')), z.array(z.string())])
const head = z.object({
  name: z.string().min(1).optional(),
  description: z.string().optional(),
  tools: words.optional(),
  disallowedTools: words.optional(),
  model: z.string().optional(),
  permissionMode: z.enum(['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']).optional(),
  maxTurns: z.number().int().positive().optional(),
  background: z.boolean().optional(),
  isolation: z.literal('worktree').optional(),
})

export interface AgentPlaces {
  cwd: string
  env: Record<string, string | undefined>
  /** In place of the usual ones. */
  folders?: readonly string[]
}

/** All types by place; a broken file is told and voids no other. */
export function findAgents({ cwd, env, folders }: AgentPlaces, emit: Emit): AgentDefinition[] {
  const set = env['CLAUDE_CONFIG_DIR']
  const person = set !== undefined && isAbsolute(set) ? set : join(homeFolder(env), '.claude')
  const places = folders ?? [join(person, 'agents'), join(cwd, '.claude/agents')]
  return places.flatMap((folder) => filesIn(folder).flatMap((file) => readAgentFile(file, emit)))
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name))
}

function readAgentFile(file: string, emit: Emit): AgentDefinition[] {
  const wrong = (what: string): AgentDefinition[] => {
    emit({ kind: 'notice', level: 'warning', text: `${file}: ${what} This agent is left out.` })
    return []
  }
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return wrong(`It cannot be read: ${(error as Error).message}.`)
  }
  const found = /^---\r?\n([\s\S]*?)(?:\r?\n)?---(?:\r?\n|$)/.exec(text)
  if (found === null) return wrong('It has no front matter.')
  let facts: unknown
  try {
    facts = parseYaml(found[1] ?? '') ?? {}
  } catch (error) {
    return wrong(`Its front matter is no YAML: ${(error as Error).message.split('\n')[0]}.`)
  }
  const parsed = head.safeParse(facts)
  if (!parsed.success) return wrong(`Its front matter is wrong: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}.`)
  return [definitionOf(parsed.data, { name: basename(file, '.md'), prompt: text.slice(found[0].length).trim(), file })]
}

/** The fields of front matter, or of a JSON entry, as a definition. */
export function definitionOf(facts: z.output<typeof head>, own: { name: string; prompt: string; file?: string; hooks?: object }): AgentDefinition {
  const { name, description, tools, disallowedTools, model, permissionMode, maxTurns, background, isolation } = facts
  return {
    ...own,
    name: name ?? own.name,
    description: description ?? '',
    ...(tools === undefined || tools.includes('*') ? {} : { tools: tools.map(bareName) }),
    ...(disallowedTools === undefined ? {} : { withoutTools: disallowedTools.map(bareName) }),
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { mode: permissionMode }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(background === undefined ? {} : { background }),
    ...(isolation === undefined ? {} : { isolation }),
  }
}

/** `Agent(Explore)` names the tool Agent. */
function bareName(tool: string): string {
  return tool.replace(/\(.*$/, '')
}

/** Reads the value of `--agents`: a JSON object by name. Gives the types, or what is wrong. */
export function readAgentsJson(text: string): AgentDefinition[] | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`
  }
  const entry = head.extend({ prompt: z.string(), hooks: z.record(z.string(), z.unknown()).optional() })
  const parsed = z.record(z.string(), entry).safeParse(value)
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ')
  return Object.entries(parsed.data).map(([name, { prompt, hooks, ...facts }]) =>
    definitionOf({ ...facts, name }, { name, prompt, ...(hooks === undefined ? {} : { hooks }) }),
  )
}
