/** What house tests read: the repository's own files, as text and as syntax. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The root of the repository. */
export const root = resolve(fileURLToPath(import.meta.url), '../../../../..')

/** One file: its path from the root with `/`, its text, its syntax. */
export interface Page {
  readonly path: string
  readonly text: string
  readonly syntax: ts.SourceFile
}

/** A page from a path and a text, without a file behind it. */
export function pageOf(path: string, text: string): Page {
  return { path, text, syntax: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) }
}

/** The TypeScript files below a folder of the root; none when the folder does not exist. Data of tests is no source. */
export function pagesBelow(folder: string): Page[] {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !/\/(node_modules|dist)\/|\/test\/data\//.test(path))
    .sort()
    .map((path) => pageOf(path, readFileSync(join(root, path), 'utf8')))
}

/** The names of the packages of this workspace. */
export const packageNames: readonly string[] = readdirSync(join(root, 'packages')).filter((name) => existsSync(join(root, 'packages', name, 'package.json')))

/** Every source file of every package. */
export const sourcePages = (): Page[] => packageNames.flatMap((name) => pagesBelow(`packages/${name}/src`))

/** Every test file of every package, helpers of tests among them. */
export const testPages = (): Page[] => packageNames.flatMap((name) => pagesBelow(`packages/${name}/test`))

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** `path:line`, as findings begin. */
export function placeOf(page: Page, node: ts.Node): string {
  return `${page.path}:${page.syntax.getLineAndCharacterOfPosition(node.getStart(page.syntax)).line + 1}`
}
