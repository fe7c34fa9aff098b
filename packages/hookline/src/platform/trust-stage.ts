/** Private copies of accepted scripts: what was compared is what runs, whatever happens to the original meanwhile. */
import { type BigIntStats, chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { PinnedScript, PinnedScripts } from '../config/trust-scripts.ts'
import { makePrivateFolder, removePrivateFolder } from './private-folder.ts'
import { bringHome, linkNeighbours } from './trust-neighbours.ts'
import { readScript } from './trust-scripts.ts'

/** A stage for one run, or why there is none. */
export type Staged =
  | {
      readonly kind: 'ready'
      /** Where the copy of a script stands, by the script's path; those that are not in it run from their own place. */
      readonly copies: ReadonlyMap<string, string>
      /** Call it when the run is over. */
      settle(): void
    }
  | { readonly kind: 'changed'; readonly shown: string; readonly how: 'changed' | 'gone' | 'appeared' | 'another' }

/** Tells an untouched file without reading it again. */
type Print = string
interface Copy {
  readonly path: string
  readonly source: Print
  readonly own: Print
}

/** The copies of one Hookline. Nothing is made before a hook with scripts runs. */
export class ScriptStage {
  readonly #base: string
  #folder: string | undefined
  readonly #copies = new Map<string, Copy>()

  /** `base` is a folder of this user's own. */
  constructor(base: string) {
    this.#base = base
  }

  /** Compares every script with what was accepted, and makes copies of those whose names can be replaced. `cwd` is where the event stands. */
  async prepare(pinned: PinnedScripts, { projectDir, cwd }: { projectDir: string; cwd: string }): Promise<Staged> {
    const wanted = new Map<string, PinnedScript>()
    for (const script of pinned.scripts) {
      const elsewhere = script.relative ? movedPath(script, { projectDir, cwd }) : undefined
      if (elsewhere !== undefined) {
        const there = await readScript(elsewhere)
        if ((there.kind === 'file' ? there.digest : undefined) !== script.digest) return { kind: 'changed', shown: script.shown, how: 'another' }
      }
      const copy = this.#fresh(pinned, script)
      if (copy === undefined) {
        const read = await readScript(script.path)
        if (read.kind === 'missing' && script.digest === undefined) continue
        if (read.kind !== 'file' || read.digest !== script.digest)
          return { kind: 'changed', shown: script.shown, how: script.digest === undefined ? 'appeared' : read.kind === 'missing' ? 'gone' : 'changed' }
        if (script.seats !== undefined) this.#write(pinned, script, read)
      }
      if (script.digest !== undefined && script.seats !== undefined) wanted.set(script.path, script)
    }
    return this.#build(pinned, wanted)
  }

  /** Removes everything. */
  clear(): void {
    removePrivateFolder(this.#folder)
    this.#folder = undefined
    this.#copies.clear()
  }

  /** Puts the neighbours beside the copies, so that a script finds what it looks for beside itself. */
  #build(pinned: PinnedScripts, wanted: ReadonlyMap<string, PinnedScript>): Staged {
    const copies = new Map<string, string>()
    const homes: (() => void)[] = []
    for (const root of new Set([...wanted.values()].map((script) => script.root))) {
      const own = [...wanted.values()].filter((script) => script.root === root)
      const place = { original: root, stage: this.#rootOf(pinned, root), scripts: own.map(({ path }) => relative(root, path)) }
      // Too many neighbours to link: these scripts were compared a moment ago, and run from their own place.
      if (!linkNeighbours(place)) continue
      homes.push(() => bringHome(place))
      for (const { path } of own) copies.set(path, this.#pathOf(pinned, { root, path }))
    }
    const settle = () => {
      for (const home of homes) home()
    }
    return { kind: 'ready', copies, settle }
  }

  /** The copy, when neither it nor the original was touched since they were compared. */
  #fresh(pinned: PinnedScripts, script: PinnedScript): Copy | undefined {
    const copy = this.#copies.get(`${pinned.digest} ${script.path}`)
    return copy !== undefined && copy.source === printOf(script.path) && copy.own === printOf(copy.path) ? copy : undefined
  }

  #write(pinned: PinnedScripts, script: PinnedScript, { content, executable }: { content: Buffer; executable: boolean }): void {
    const path = this.#pathOf(pinned, script)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.hookline-new`
    rmSync(draft, { force: true })
    writeFileSync(draft, content, { flag: 'wx', mode: 0o600 })
    chmodSync(draft, executable ? 0o500 : 0o400)
    renameSync(draft, path)
    // Looked at after reading: a change in between makes the prints differ, and the next run compares again.
    this.#copies.set(`${pinned.digest} ${script.path}`, { path, source: printOf(script.path), own: printOf(path) })
  }

  #pathOf(pinned: PinnedScripts, { root, path }: Pick<PinnedScript, 'root' | 'path'>): string {
    return join(this.#rootOf(pinned, root), relative(root, path))
  }

  #rootOf({ digest, scripts }: PinnedScripts, root: string): string {
    this.#folder ??= makePrivateFolder(this.#base)
    const roots = [...new Set(scripts.map((script) => script.root))]
    return join(this.#folder, `${digest.slice(0, 16)}-${roots.indexOf(root)}`)
  }
}

/** The file that a relative name means where the event stands, when that is another one. */
function movedPath({ path }: PinnedScript, { projectDir, cwd }: { projectDir: string; cwd: string }): string | undefined {
  if (cwd === '' || cwd === projectDir) return undefined
  const there = join(cwd, relative(projectDir, path))
  return there === path || idOf(there) === idOf(path) ? undefined : there
}

function idOf(path: string): string | undefined {
  const stats = look(path)
  return stats === undefined ? path : `${stats.dev}.${stats.ino}`
}

function printOf(path: string): Print {
  const stats = look(path)
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode].join('.')
}

function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
