/** Finds slash commands and skills in every place; later places win by name, a folder's skill beats its command. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'

/** Where a command was written, as hooks see it in `command_source`. */
export type CommandSource = 'userSettings' | 'projectSettings' | 'plugin'

export interface Command {
  /** As typed after the slash, e.g. `review` or `plugin:review`. */
  name: string
  kind: 'command' | 'skill'
  source: CommandSource
  file: string
  description: string
  argumentHint?: string
  /** Rules that hold while it runs its own shell commands. */
  allowedTools: readonly string[]
  model?: string
  /** The person may type it. */
  typed: boolean
  /** The model may invoke it. */
  invoked: boolean
  hasHooks: boolean
  body: string
}

export interface CommandProblem {
  file: string
  message: string
}

export interface CommandPlaces {
  cwd: string
  /** e.g. `~/.claude` */
  userFolder: string
  plugins?: readonly { name: string; folder: string }[]
  /** More folders whose `.claude` is read. */
  folders?: readonly string[]
  /** False: only what does not come from the folder. */
  project?: boolean
}

const words = z.union([z.string().transform((text) => text.split(/[\s,]+(?![^(]*\))/).filter((word) => word !== '')), z.array(z.string())])
const head = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  'argument-hint': z.union([z.string(), z.array(z.string()).transform((list) => `[${list.join(' ')}]`)]).optional(),
  'allowed-tools': words.optional(),
  model: z.string().optional(),
  'user-invocable': z.boolean().optional(),
  'disable-model-invocation': z.boolean().optional(),
  hooks: z.unknown().optional(),
})

/** All commands by name, and what is wrong with files that are none. A broken file voids no other. */
export function findCommands(places: CommandPlaces): { commands: Map<string, Command>; problems: CommandProblem[] } {
  const commands = new Map<string, Command>()
  const problems: CommandProblem[] = []
  const addFolder = (folder: string, source: CommandSource, prefix = ''): void => {
    for (const file of markdownIn(join(folder, 'commands'))) {
      const name = relative(join(folder, 'commands'), file).slice(0, -3).split(sep).join(':')
      add(file, { name: `${prefix}${name}`, kind: 'command', source })
    }
    for (const file of skillsIn(join(folder, 'skills'))) add(file, { name: `${prefix}${basename(dirname(file))}`, kind: 'skill', source })
  }
  const add = (file: string, facts: Pick<Command, 'name' | 'kind' | 'source'>): void => {
    const read = readCommand(file, facts)
    if (typeof read === 'string') problems.push({ file, message: read })
    else commands.set(read.name, read)
  }
  for (const plugin of places.plugins ?? []) addFolder(plugin.folder, 'plugin', `${plugin.name}:`)
  addFolder(places.userFolder, 'userSettings')
  if (places.project !== false) for (const folder of [...(places.folders ?? []), places.cwd]) addFolder(join(folder, '.claude'), 'projectSettings')
  return { commands, problems }
}

function readCommand(file: string, facts: Pick<Command, 'name' | 'kind' | 'source'>): Command | string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return `It cannot be read: ${(error as Error).message}.`
  }
  const found = /^---\r?\n([\s\S]*?)(?:\r?\n)?---(?:\r?\n|$)/.exec(text)
  const body = found === null ? text : text.slice(found[0].length)
  let facts2: z.infer<typeof head> = {}
  if (found !== null) {
    try {
      const parsed = head.safeParse(parseYaml(found[1] ?? '') ?? {})
      if (!parsed.success) return `Its front matter is wrong: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}.`
      facts2 = parsed.data
    } catch (error) {
      return `Its front matter is no YAML: ${(error as Error).message.split('\n')[0]}.`
    }
  }
  return {
    ...facts,
    file,
    description:
      facts2.description ??
      body
        .trim()
        .split('\n')[0]
        ?.replace(/^#+\s*/, '')
        .slice(0, 200) ??
      '',
    ...(facts2['argument-hint'] === undefined ? {} : { argumentHint: facts2['argument-hint'] }),
    allowedTools: facts2['allowed-tools'] ?? [],
    ...(facts2.model === undefined || facts2.model === 'inherit' ? {} : { model: facts2.model }),
    typed: facts2['user-invocable'] !== false,
    invoked: facts2['disable-model-invocation'] !== true,
    hasHooks: facts2.hooks !== undefined,
    body,
  }
}

function markdownIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name))
}

function skillsIn(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name, 'SKILL.md'))
    .filter((file) => existsSync(file))
}
