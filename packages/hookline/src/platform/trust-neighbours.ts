/** The folders around a copied script: links to everything that stands beside the original, and a way home for what the script puts there. */
import { cpSync, type Dirent, lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Copies below one folder. */
export interface StagedPlace {
  /** The folder that the scripts come from. */
  readonly original: string
  /** Its stand-in. */
  readonly stage: string
  /** The scripts, relative to both. */
  readonly scripts: readonly string[]
}

const mostNeighbours = 2_000

/** Links every neighbour of the scripts and of the folders above them. False when there are too many, or the system makes no links. */
export function linkNeighbours(place: StagedPlace): boolean {
  const { original, stage } = place
  const { folders, own } = chainOf(place)
  try {
    for (const folder of folders) {
      mkdirSync(join(stage, folder), { recursive: true, mode: 0o700 })
      const names = readdirSync(join(original, folder))
      if (names.length > mostNeighbours) return false
      const there = new Set(readdirSync(join(stage, folder)))
      for (const name of names) if (!there.has(name) && !own.has(join(folder, name))) symlinkSync(join(original, folder, name), join(stage, folder, name))
    }
    return true
  } catch {
    return false
  }
}

/** Moves what a script made beside itself, or put in a neighbour's place, to where it belongs. Never throws: a run is over by then. */
export function bringHome(place: StagedPlace): void {
  const { original, stage } = place
  const { folders, own } = chainOf(place)
  for (const folder of folders) {
    for (const entry of entriesOf(join(stage, folder))) {
      const name = join(folder, entry.name)
      if (own.has(name) || isOurLink(join(stage, name), join(original, name), entry)) continue
      try {
        move(join(stage, name), join(original, name))
        symlinkSync(join(original, name), join(stage, name))
      } catch {
        // It stays where it is until the stage goes; there is nobody left to tell.
      }
    }
  }
}

/** The folders that are real on the stage, from the top, and the names in them that are no neighbours. */
function chainOf({ scripts }: StagedPlace): { folders: string[]; own: Set<string> } {
  const folders = new Set<string>(['.'])
  for (const script of scripts) for (let at = dirname(script); at !== '.'; at = dirname(at)) folders.add(at)
  return {
    folders: [...folders].sort((a, b) => a.length - b.length),
    own: new Set([...folders, ...scripts, ...scripts.map((script) => `${script}.hookline-new`)]),
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function isOurLink(path: string, target: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false
  try {
    return readlinkSync(path) === target
  } catch {
    return false
  }
}

function move(from: string, to: string): void {
  if (lstatSync(from).isDirectory() && lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    cpSync(from, to, { recursive: true })
    return rmSync(from, { recursive: true, force: true })
  }
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true })
    rmSync(from, { recursive: true, force: true })
  }
}
