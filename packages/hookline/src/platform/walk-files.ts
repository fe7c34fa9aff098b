/** Lists the files below a folder in order of their names, without following links, up to a limit. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that hold what nobody wrote by hand. */
const skipped: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])
const mostEntries = 50_000
const deepest = 40

/** Yields absolute paths of plain files. A folder that cannot be read is left out. */
export async function* walkFiles(folder: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  let entries = 0
  const open: { path: string; depth: number }[] = [{ path: folder, depth: 0 }]
  while (open.length > 0) {
    const { path, depth } = open.pop() as { path: string; depth: number }
    signal.throwIfAborted()
    const found = await readdir(path, { withFileTypes: true }).catch(() => [])
    found.sort((a, b) => (a.name < b.name ? -1 : 1))
    const below: { path: string; depth: number }[] = []
    for (const entry of found) {
      if (++entries > mostEntries) return
      const whole = join(path, entry.name)
      if (entry.isFile()) yield whole
      else if (entry.isDirectory() && depth < deepest && !skipped.has(entry.name)) below.push({ path: whole, depth: depth + 1 })
    }
    open.push(...below.reverse())
  }
}
