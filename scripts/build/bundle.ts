/** Bundles entries into CommonJS files that share their chunks, so that a part can be loaded in the middle of a call. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild'
import { type LateParts, lateCall, loadLate } from './late.ts'

/** What is bundled. */
export interface Bundling {
  /** The folder of sources. */
  readonly src: string
  /** The folder of built files. */
  readonly dist: string
  /** What each file of `dist`, without its ending, is made from. */
  readonly entries: Readonly<Record<string, string>>
  readonly late: LateParts
  readonly plugins?: readonly Plugin[]
}

const shape = {
  platform: 'node',
  target: 'node20',
  // Text of one byte per character is read and compiled in a third less time.
  charset: 'ascii',
  // Fewer bytes to read and parse at every start.
  minify: true,
  legalComments: 'eof',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Writes the files and gives what the bundler knows of them, by path below `dist`. */
export async function bundle({ src, dist, entries, late, plugins = [] }: Bundling): Promise<Metafile['outputs']> {
  const { outputFiles, metafile } = await build({
    ...shape,
    entryPoints: { ...entries },
    outdir: dist,
    bundle: true,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    mainFields: ['module', 'main'],
    // Large, and loaded by few programs: those stay the packages that npm installed.
    external: ['@clack/prompts', 'commander', 'undici', 'yaml'],
    chunkNames: 'lib/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    // An import that is not there is an error, not perhaps a type.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    absWorkingDir: dirname(src),
    plugins: [...plugins, loadLate(src, late)],
  })
  const written = new Set(outputFiles.map(({ path }) => path))
  // Entries last: whoever starts meanwhile finds every chunk.
  const entry = ({ path }: { path: string }) => Number(relative(dist, path).replace(/\.cjs$/, '') in entries)
  for (const file of [...outputFiles].sort((a, b) => entry(a) - entry(b))) {
    // `import.meta` is empty in CommonJS: whatever is bundled must have its paths passed in.
    const options = { ...shape, format: 'cjs', loader: 'js', logOverride: { 'empty-import-meta': 'error' } } as const
    const { code } = await transform(toRequire(file.text, dirname(file.path), written), options)
    write(file.path, toPlainExports(code))
  }
  return Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [relative(dist, resolve(dirname(src), path)), output]))
}

/** Writes a file unless it is there already, as it is. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

/** Removes the code in `dist` that is not in `kept`, as paths below `dist`: an older build left it. */
export function removeOthers(dist: string, kept: ReadonlySet<string>): void {
  for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    if (file.isFile() && /\.(?:c?js|js\.map)$/.test(file.name) && !kept.has(relative(dist, path))) rmSync(path)
  }
}

/**
 * A bundler that makes an ES module of this leaves no `require` for Node's own modules. And what other files import is handed out as it
 * is: the copy that the bundler makes of it looks every name up anew, which the engine would feel at every call.
 */
function toPlainExports(code: string): string {
  return (
    code
      .replace(/\brequire\("(node:[^"]+)"\)/g, 'process.getBuiltinModule("$1")')
      .replace(/\bmodule\.exports=[\w$]+\(([\w$]+)\);/, 'module.exports=$1;')
      // For programs that import names of CommonJS files, which nobody does here.
      .replace(/\b0&&\(module\.exports=\{[\w$,]*\}\);/, '')
  )
}

/** Between files of one build an import is a `require`; one that a call cannot wait for is made at once. */
function toRequire(text: string, folder: string, written: ReadonlySet<string>): string {
  const ours = (path: string) => written.has(resolve(folder, path))
  const replaced = text
    .replace(new RegExp(`${lateCall}\\(\\(\\)\\s*=>\\s*import\\("([^"]+)"\\)\\)`, 'g'), (whole, path: string) => (ours(path) ? `require("${path}")` : whole))
    .replace(/\bimport\("(\.[^"]+)"\)/g, (whole, path: string) => (ours(path) ? `Promise.resolve().then(()=>require("${path}"))` : whole))
  if (replaced.includes(lateCall)) throw new Error('scripts/build/bundle.ts: a late part was not understood; the bundler prints import() in another way now.')
  return replaced
}
