/** The bundler plugin that loads parts late: what is imported from them are small functions that fetch the real ones with their first call. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Plugin, PluginBuild } from 'esbuild'

/** What stands aside until one of its functions is called. */
export interface LateParts {
  /** A name for each part, and its files, relative to `src`. Code imports nothing from them but functions, numbers and texts. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** Files that are loaded with `import()`, by the part that they come with: few large files are loaded sooner than many small ones. */
  readonly together: Readonly<Record<string, readonly string[]>>
  /** What is loaded already wherever a part is loaded, by part: what all parts share is cut into few files then. */
  readonly beside: Readonly<Record<string, readonly string[]>>
  /** Classes of those files that are only ever made with `new`: neither extended nor asked for with `instanceof`. */
  readonly classes: readonly string[]
  /** Modules of Node, of which only functions are used. */
  readonly builtins: readonly string[]
  /** Packages, of which only functions are used. */
  readonly packages: readonly string[]
}

/** The mark around `import()` of a part that a call cannot wait for; `bundle.ts` makes a `require` of it. */
export const lateCall = '__hooklineLate'

/** Functions that call those of the same name in what `load`, an expression, gives. */
export function callLate(names: readonly string[], load: string): string {
  const one = (name: string) => `export function ${name}(...given) { const late = load().${name}; return new.target ? new late(...given) : late(...given) }`
  // `export {}`: a module without exports would pass for CommonJS, which has any export.
  return [`export {}; let loaded; const load = () => loaded ??= ${load}`, ...names.map(one)].join('\n')
}

/** Resolves imports of late parts. */
export function loadLate(src: string, parts: LateParts): Plugin {
  const groupOf = byFile(src, parts.groups)
  const comesWith = new Map([...groupOf, ...byFile(src, parts.together)])
  return {
    name: 'load-late',
    setup(bundler) {
      bundler.onResolve({ filter: /.*/ }, ({ path, kind, namespace, importer, resolveDir }) => {
        if ((kind !== 'import-statement' && kind !== 'dynamic-import') || namespace === 'late' || namespace === 'late-group') return undefined
        const file = path.startsWith('.') ? resolve(resolveDir, path) : ''
        if (kind === 'dynamic-import') return comesWith.has(file) ? { path: comesWith.get(file) as string, namespace: 'late-group' } : undefined
        if (parts.builtins.includes(path) || parts.packages.includes(path)) return { path, namespace: 'late', sideEffects: false }
        const group = groupOf.get(file)
        if (group === undefined || groupOf.get(importer) === group) return undefined
        return { path: file, namespace: 'late', sideEffects: false }
      })
      bundler.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
        if (parts.builtins.includes(path))
          return { contents: callLate(await functionsOf(path), `process.getBuiltinModule(${JSON.stringify(path)})`), loader: 'js' }
        const [group = '', names] = parts.packages.includes(path) ? [path, await functionsOf(path)] : [groupOf.get(path), exportsOf(path, parts.classes)]
        const contents = [
          callLate(names, `${lateCall}(() => import(${JSON.stringify(`late-group:${group}`)}))`),
          ...(path.startsWith('/') ? plainOf(path) : []),
        ]
        return { contents: contents.join('\n'), loader: 'js', resolveDir: src }
      })
      loadGroups(bundler, src, parts)
    },
  }
}

function byFile(src: string, parts: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  return new Map(Object.entries(parts).flatMap(([part, files]) => files.map((file) => [join(src, file), part])))
}

/** Each part is one module that hands out what its files export. */
function loadGroups(bundler: PluginBuild, src: string, { groups, together, beside, packages, classes }: LateParts): void {
  bundler.onResolve({ filter: /^late-group:/ }, ({ path }) => ({ path: path.replace(/^late-group:/, ''), namespace: 'late-group' }))
  bundler.onLoad({ filter: /.*/, namespace: 'late-group' }, ({ path: group }) => {
    const lines = packages.includes(group)
      ? [`export * from ${JSON.stringify(group)}`]
      : [...(groups[group] ?? []), ...(together[group] ?? [])].map(
          (file) => `export { ${exportsOf(join(src, file), classes).join(', ')} } from ${JSON.stringify(`./${file}`)}`,
        )
    const shared = (beside[group] ?? []).map((path, index) => `export * as beside${index} from ${JSON.stringify(path)}`)
    return { contents: [...shared, ...lines].join('\n'), loader: 'js', resolveDir: src }
  })
}

/** The functions that a file exports or passes on, and the classes that may be late. */
function exportsOf(file: string, classes: readonly string[]): string[] {
  const text = readFileSync(file, 'utf8')
  const functions = [...text.matchAll(/^export (?:async )?function\*? (\w+)/gm)].map(([, name = '']) => name)
  const passed = [...text.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  const made = [...text.matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name).filter((name) => classes.includes(name))
  // An overloaded function is written several times.
  return [...new Set([...functions, ...passed.filter((name) => /^\w+$/.test(name)), ...made])]
}

/** Numbers and texts are no reason to load anything. */
function plainOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^export const \w+ = (?:[\d_ *]+|'[^'\\]*')$/gm)].map(([line]) => line)
}

async function functionsOf(name: string): Promise<string[]> {
  const found = Object.entries((await import(name)) as Record<string, unknown>)
  return found.flatMap(([key, value]) => (typeof value === 'function' && key !== 'default' ? [key] : []))
}
