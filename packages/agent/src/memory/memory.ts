/** Instructions for the model: CLAUDE.md and rules of every place, loaded once each, eagerly or when a file below is touched. */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import ignore from 'ignore'
import { parse as parseYaml } from 'yaml'
import { importsOf, isFile, maximumDepth, readText } from './imports.ts'

export type MemoryType = 'User' | 'Project' | 'Local' | 'Managed'
export type LoadReason = 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact'

/** One file that entered the conversation. */
export interface Instruction {
  path: string
  type: MemoryType
  reason: LoadReason
  text: string
  /** Patterns of a rule that only concerns some files. */
  globs?: readonly string[]
  /** The file whose touching brought it in. */
  trigger?: string
  /** The file that imports it. */
  parent?: string
  /** AGENTS.md, read where there is no CLAUDE.md: no event tells of it. */
  silent?: true
}

export interface Memory {
  /** What a session starts with, outermost first. After a compaction the same files are given again. */
  start(reason: 'session_start' | 'compact'): Instruction[]
  /** What the touching of `file` brings in; nothing twice. */
  touched(file: string): Instruction[]
}

export interface MemoryPlaces {
  cwd: string
  home: string
  /** Where user settings live, e.g. `~/.claude`. */
  userFolder: string
  /** Where an organisation's files live, e.g. `/etc/claude-code`. */
  managedFolder: string
  /** More folders that the session works in. */
  folders?: readonly string[]
  /** Somebody vouched for the folder: its files may import from everywhere. */
  trusted?: boolean
  /** Called with a file of the project that leads out of it, by its name or by a link, and is left out; `parent` imports it. */
  leftOut?: (path: string, parent?: string) => void
}

interface Rule {
  path: string
  type: MemoryType
  base: string
  globs: readonly string[]
  text: string
}

/** Reads nothing before `start`. */
export function createMemory(places: MemoryPlaces): Memory {
  const loaded = new Set<string>()
  const told = new Set<string>()
  let rules: Rule[] = []

  const leadsOut = (path: string, { type, parent, base }: { type: MemoryType; parent?: string; base: string }): boolean => {
    if (places.trusted === true || type === 'User' || type === 'Managed') return false
    const real = realOf(path)
    const homes = [base, repositoryOf(base), places.cwd, repositoryOf(places.cwd), ...(places.folders ?? []), places.userFolder]
    if (homes.some((folder) => isBelow(real, realOf(folder)))) return false
    if (!told.has(path)) places.leftOut?.(path, parent)
    told.add(path)
    return true
  }
  const add = (into: Instruction[], instruction: Instruction, from: { base: string; depth?: number }): void => {
    const { base, depth = 0 } = from
    const real = realOf(instruction.path)
    if (loaded.has(real) || leadsOut(instruction.path, { ...instruction, base })) return
    loaded.add(real)
    into.push(instruction)
    if (depth >= maximumDepth) return
    for (const path of importsOf(instruction.text, instruction.path, places.home)) {
      const text = readText(path)
      if (text !== undefined) add(into, { path, type: instruction.type, reason: 'include', text, parent: instruction.path }, { base, depth: depth + 1 })
    }
  }
  const addFile = (into: Instruction[], path: string, facts: Pick<Instruction, 'type' | 'reason' | 'trigger' | 'silent'> & { base?: string }): boolean => {
    const { base = dirname(path), ...rest } = facts
    const text = isFile(path) ? readText(path) : undefined
    if (text === undefined) return false
    add(into, { path, text: stripComments(text), ...rest }, { base })
    return true
  }
  const addFolder = (into: Instruction[], folder: string, facts: { reason: LoadReason; trigger?: string }): void => {
    const found = [join(folder, 'CLAUDE.md'), join(folder, '.claude/CLAUDE.md')].map((path) => addFile(into, path, { type: 'Project', base: folder, ...facts }))
    if (!found.includes(true)) addFile(into, join(folder, 'AGENTS.md'), { type: 'Project', ...facts, silent: true })
    addFile(into, join(folder, 'CLAUDE.local.md'), { type: 'Local', ...facts })
    addRules(into, { folder: join(folder, '.claude/rules'), base: folder, type: 'Project', ...facts })
  }
  const addRules = (into: Instruction[], from: { folder: string; base: string; type: MemoryType; reason: LoadReason; trigger?: string }): void => {
    for (const path of markdownBelow(from.folder)) {
      const text = readText(path)
      if (text === undefined) continue
      const { globs, body } = readFrontMatter(text)
      if (globs === undefined)
        add(into, { path, type: from.type, reason: from.reason, text: body, ...(from.trigger === undefined ? {} : { trigger: from.trigger }) }, from)
      else rules.push({ path, type: from.type, base: from.base, globs, text: body })
    }
  }

  return {
    start(reason) {
      loaded.clear()
      rules = []
      const into: Instruction[] = []
      addFile(into, join(places.managedFolder, 'CLAUDE.md'), { type: 'Managed', reason })
      addFile(into, join(places.userFolder, 'CLAUDE.md'), { type: 'User', reason })
      addRules(into, { folder: join(places.userFolder, 'rules'), base: places.cwd, type: 'User', reason })
      for (const folder of [...parentsOf(places.cwd), ...(places.folders ?? [])]) addFolder(into, folder, { reason })
      return into
    },
    touched(file) {
      const into: Instruction[] = []
      for (const folder of between(places.cwd, dirname(file))) addFolder(into, folder, { reason: 'nested_traversal', trigger: file })
      for (const rule of rules) {
        const path = relative(rule.base, file)
        if (
          path === '' ||
          path.startsWith('..') ||
          !ignore()
            .add([...rule.globs])
            .ignores(path.split(sep).join('/'))
        )
          continue
        add(into, { path: rule.path, type: rule.type, reason: 'path_glob_match', text: rule.text, globs: rule.globs, trigger: file }, rule)
      }
      return into
    },
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The nearest folder above that git keeps, or the folder itself. */
function repositoryOf(folder: string): string {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) if (existsSync(join(at, '.git'))) return at
  return folder
}

/** From the root of the file system down to `folder`. */
function parentsOf(folder: string): string[] {
  const parents = [folder]
  for (let at = folder; dirname(at) !== at; at = dirname(at)) parents.unshift(dirname(at))
  return parents
}

/** Folders below `top` on the way to `folder`, outermost first; none when it lies elsewhere. */
function between(top: string, folder: string): string[] {
  const path = relative(top, folder)
  if (path === '' || path.startsWith('..')) return []
  return path.split(sep).map((_, at, parts) => join(top, ...parts.slice(0, at + 1)))
}

function markdownBelow(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Notes to maintainers are not for the model. */
const stripComments = (text: string): string => text.replaceAll(/^<!--[\s\S]*?-->\n?/gm, '')

function readFrontMatter(text: string): { globs?: string[]; body: string } {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text)
  if (found === null) return { body: text }
  const body = text.slice(found[0].length)
  try {
    const { paths } = (parseYaml(found[1] ?? '') ?? {}) as { paths?: unknown }
    const list = typeof paths === 'string' ? paths.split(',') : Array.isArray(paths) ? paths.map(String) : []
    const globs = list.map((glob) => glob.trim()).filter((glob) => glob !== '')
    return globs.length === 0 ? { body } : { globs, body }
  } catch {
    return { body }
  }
}
