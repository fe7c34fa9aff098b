/** Files below a folder, without what `.gitignore` files leave out; folders behind links are not entered. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Rules of one folder; they look at paths relative to it. */
interface Rules {
  folder: string
  rules: Ignore
}

const never = new Set(['.git', '.hg', '.svn', '.jj'])
/** A walk that has seen so many entries has lost its way. */
const most = 500_000

export interface WalkOptions {
  signal: AbortSignal
  /** Enter `node_modules` too. */
  modules?: boolean
}

/** Absolute paths, in no order that means anything. */
export async function* walk(root: string, { signal, modules = root.split(sep).includes('node_modules') }: WalkOptions): AsyncGenerator<string> {
  let seen = 0
  const open: { folder: string; rules: readonly Rules[] }[] = [{ folder: root, rules: await rulesAbove(root) }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    signal.throwIfAborted()
    const { folder } = next
    const own = await rulesOf(folder)
    const rules = own === undefined ? next.rules : [own, ...next.rules]
    // A folder that cannot be read holds nothing for us.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (++seen > most) return
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (never.has(entry.name) || (entry.name === 'node_modules' && !modules) || isIgnored(`${path}/`, rules)) continue
        open.push({ folder: path, rules })
      } else if ((entry.isFile() || (entry.isSymbolicLink() && (await isFileBehind(path)))) && !isIgnored(path, rules)) yield path
    }
  }
}

/** The nearest rules that have a word to say about a path decide. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { folder, rules: own } of rules) {
    const inside = relative(folder, path)
    if (inside === '' || inside.startsWith('..')) continue
    const said = own.test(path.endsWith('/') ? `${toSlashes(inside)}/` : toSlashes(inside))
    if (said.ignored || said.unignored) return said.ignored
  }
  return false
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

async function rulesOf(folder: string): Promise<Rules | undefined> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : { folder, rules: ignore().add(text) }
}

/** Rules of the folders above, up to the root of the repository. */
async function rulesAbove(root: string): Promise<Rules[]> {
  const found: Rules[] = []
  for (let at = root; !(await exists(join(at, '.git'))); ) {
    const above = dirname(at)
    if (above === at) return []
    const rules = await rulesOf(above)
    if (rules !== undefined) found.push(rules)
    at = above
  }
  return found
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function isFileBehind(path: string): Promise<boolean> {
  return stat(path).then(
    (it) => it.isFile(),
    () => false,
  )
}
