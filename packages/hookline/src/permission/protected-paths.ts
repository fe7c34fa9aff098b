/** Paths that no tool may change, and whether a path is one of them, however it is spelled. */
import { matchesStars } from './stars.ts'

/** One thing that guards the session. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string
  /** Everything below it is meant too. */
  readonly folder?: true
  /** What it is, as it stands in "… is a settings file". */
  readonly what: string
  /** How a person changes it, as a whole sentence; default: in an editor or in their own terminal. */
  readonly how?: string
  /** Only this very path: its name alone, or a folder around it, says nothing. */
  readonly exact?: true
  /** The command of ours that changes it. */
  readonly command?: 'init' | 'trust'
}

/** What is done to a path: its content changes, it goes or is put aside with all below it, it gets a second name, or something is put in its place. */
export type Deed = 'write' | 'remove' | 'link' | 'replace'

/** Stands in a path, a protected one too, for a stretch that could be anything within one name. */
export const anyName = '\u{E003}'

interface Entry {
  readonly found: ProtectedPath
  readonly segments: readonly string[]
}

const gitHooks: ProtectedPath = { path: '.git/hooks', folder: true, what: 'a place of git hooks, which git runs by itself' }
const gitConfig: ProtectedPath = { path: '.git/config', what: 'a settings file of git, which can name programs that git runs by itself' }

/** The protected paths of one moment. */
export class ProtectedPaths {
  /** What a text mentions when it names one of the paths in the plain way. */
  readonly named: RegExp
  /** The protected paths that are single files. */
  readonly files: readonly string[]
  readonly #entries: readonly Entry[]
  readonly #exact = new Map<string, ProtectedPath>()
  /** Those entries that one path alone fits, by that path; and the others, which have to be compared with. */
  readonly #single = new Map<string, ProtectedPath>()
  readonly #several: readonly Entry[]
  /** Folders in which work is done: what is put into one as a whole, or leads to it, is not about what guards it. */
  readonly #wide: readonly (readonly string[])[]

  /** `realPath` tells where a protected path really is: a settings folder may be a link itself. */
  constructor(
    paths: readonly ProtectedPath[],
    { projectDir, home = projectDir, realPath = () => undefined }: { projectDir: string; home?: string; realPath?: (path: string) => string | undefined },
  ) {
    this.#wide = [projectDir, home].map(segmentsOf)
    const entries = new Map<string, Entry>()
    for (const found of paths) {
      for (const path of [found.path, realPath(found.path) ?? found.path]) {
        const segments = segmentsOf(path)
        const key = `${segments.join('/')}${found.folder ?? ''}`
        if (found.exact) this.#exact.set(key, found)
        else if (segments.length > 0 && !entries.has(key)) entries.set(key, { found, segments })
      }
    }
    this.#entries = [...entries.values()]
    this.#several = this.#entries.filter(({ found, segments }) => found.folder || segments.some((name) => name.includes(anyName)))
    for (const { found, segments } of this.#entries) {
      const path = segments.join('/')
      if (!found.folder && !this.#single.has(path)) this.#single.set(path, found)
    }
    this.files = paths.flatMap(({ path, folder, exact }) => (folder || exact || path.includes(anyName) ? [] : [path]))
    const names = new Set([
      '.git',
      'hookspath',
      'fsmonitor',
      'git~',
      ...this.#entries.flatMap(({ segments }) => segments.slice(-1).map((name) => name.replaceAll(anyName, ''))),
    ])
    this.named = new RegExp([...names].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'i')
  }

  /** What is protected about this absolute path, for this deed. `anyName` may stand in it. */
  find(path: string, deed: Deed = 'write'): ProtectedPath | undefined {
    const segments = segmentsOf(path)
    const whole = segments.join('/')
    const open = path.includes(anyName) ? this.#entries : this.#several
    const hit = open.find(({ found, segments: own }) => covers(own, segments, found.folder === true))
    const found = hit?.found ?? this.#single.get(whole) ?? this.#exact.get(whole)
    if (found !== undefined) return found
    if (deed !== 'write') {
      const below = this.#above(segments, deed)
      if (below !== undefined) return below
    }
    return findGit(segments, deed)
  }

  /** What has this name, or lies in a folder of this name, somewhere below a folder. A name that is nothing but a wildcard finds nothing. */
  findBelow(folder: string, name: string): ProtectedPath | undefined {
    const above = segmentsOf(folder)
    const wanted = segmentsOf(name).filter((part) => !/^\u{E003}*(?:\.\w+)?$/u.test(part) || part.startsWith('.'))
    const below = this.#entries.filter(({ segments }) => segments.length > above.length && covers(above, segments, true))
    return below.find(({ segments }) => segments.slice(above.length).some((own) => wanted.some((part) => matchesName(part, own))))?.found
  }

  /** A path that is only known from some segment on: `$DIR/.claude/settings.json`. One name alone could be anything. */
  findTail(tail: string): ProtectedPath | undefined {
    const segments = segmentsOf(tail)
    if (segments.length < 2) return undefined
    const git = findGit(segments, 'write')
    return git ?? this.#entries.find(({ segments: own }) => own.length > segments.length && covers(own.slice(-segments.length), segments, false))?.found
  }

  /** What a command of ours would change. */
  findCommand(command: 'init' | 'trust'): ProtectedPath | undefined {
    return this.#entries.find(({ found }) => found.command === command)?.found
  }

  /** The path whose file name and folder name both stand somewhere in the text, apart or together. */
  findMention(text: string): ProtectedPath | undefined {
    const folded = fold(text)
    const says = (name: string | undefined) => name !== undefined && holdsName(folded, name)
    if (says('.git') && says('hooks')) return gitHooks
    if (says('.git') && says('config')) return gitConfig
    return this.#entries.find(({ segments }) => says(segments.at(-1)) && says(segments.at(-2)))?.found
  }

  /**
   * A folder around something protected. The project, the home and what is above them only when they go: things are put there all day,
   * but with the folder goes what guards it.
   */
  #above(segments: readonly string[], deed: Deed): ProtectedPath | undefined {
    if (deed !== 'remove' && this.#wide.some((folder) => segments.length <= folder.length && covers(segments, folder.slice(0, segments.length), false)))
      return undefined
    return this.#entries.find(({ segments: own }) => own.length > segments.length && covers(own.slice(0, segments.length), segments, false))?.found
  }
}

/** Whether a path of these segments is the protected one, or lies below it. */
function covers(own: readonly string[], segments: readonly string[], folder: boolean): boolean {
  if (folder ? segments.length < own.length : segments.length !== own.length) return false
  return own.every((name, at) => matchesName(segments[at] as string, name))
}

/** As a shell's patterns do, a name that begins with a wildcard never finds a name that begins with a dot. */
function matchesName(pattern: string, name: string): boolean {
  // A protected path may have a wildcard of its own.
  if (name.includes(anyName)) return matchesStars(name, pattern, anyName)
  if (!pattern.includes(anyName)) return pattern === name
  return !(pattern.startsWith(anyName) && name.startsWith('.')) && matchesStars(pattern, name, anyName)
}

/** Hooks and settings of any repository: `.git/hooks`, `.git/config`, and those of its submodules and worktrees. */
function findGit(segments: readonly string[], deed: Deed): ProtectedPath | undefined {
  const at = segments.findLastIndex((name) => matchesName(name, '.git') || /^git~\d$/.test(name))
  if (at < 0) return undefined
  const inside = segments.slice(at + 1)
  if (inside.length === 0) return deed === 'replace' ? gitHooks : undefined
  const isName = (name: string | undefined, wanted: string) => name !== undefined && matchesName(name, wanted)
  if (isName(inside[0], 'hooks') || (inside[0] === 'modules' && inside.some((name) => name === 'hooks'))) return gitHooks
  const last = inside.at(-1)
  const deep = inside.length === 1 || inside[0] === 'modules' || inside[0] === 'worktrees'
  return deep && (isName(last, 'config') || isName(last, 'config.worktree')) ? gitConfig : undefined
}

function holdsName(folded: string, name: string): boolean {
  for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + 1)) {
    const before = folded[at - 1] ?? ''
    const after = folded[at + name.length] ?? ''
    if (!/[\p{L}\p{N}_.-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true
  }
  return false
}

/** What some disk or other leaves out of names: case, unseen characters, dots and blanks at the end, streams. */
function fold(text: string): string {
  // Plain letters have one form each, and most paths are nothing but those.
  if (/^[\x20-\x7E]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

/** The names of a path, worked out as text. */
function segmentsOf(path: string): string[] {
  const out: string[] = []
  for (const part of fold(path).split(/[\\/]/)) {
    if (part === '' || part === '.') continue
    if (part === '..') out.pop()
    else out.push(part.replace(/(?<=.):.*$/s, '').replace(/(?<=[^.\s])[.\s]+$/, ''))
  }
  return out
}
