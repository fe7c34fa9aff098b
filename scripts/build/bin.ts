/** Builds the command line: one CommonJS file with `fire` in it; what it loads with `import()` stays outside, as the ESM files that tsc wrote. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** Writes `packages/hookline/dist/cli.cjs`; gives the exit code. */
export async function main(_args: readonly string[], root: string): Promise<number> {
  const home = join(root, 'packages/hookline')
  const entry = join(home, 'src/cli/main.ts')
  const outfile = join(home, 'dist/cli.cjs')
  if (!existsSync(entry)) {
    rmSync(outfile, { force: true })
    console.log('bin: there is no src/cli/main.ts yet, nothing to bundle.')
    return 0
  }
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    legalComments: 'eof',
    // Fewer bytes to read and parse at every start.
    minify: true,
    // Text of one byte per character is read and compiled in a third less time.
    charset: 'ascii',
    // `import.meta` is empty in CommonJS: whatever `fire` reaches must have its paths passed in.
    logOverride: { 'empty-import-meta': 'error' },
    logLevel: 'warning',
    plugins: [leaveImportsOutside(join(home, 'src'), dirname(outfile)), loadLate(dirname(outfile))],
  })
  console.log(`bin: ${relative(root, outfile)}, ${Math.round(statSync(outfile).size / 1024)} KiB`)
  return 0
}

/** Parts of Node that cost milliseconds to load, and that an event without hooks never needs. */
const lateBuiltins = ['node:crypto', 'node:vm']
/** Packages of that kind; each becomes a file of its own beside the bundle. */
const latePackages = ['unbash']

/** What is imported from these stays outside until the first call of one of its functions. */
function loadLate(dist: string): Plugin {
  const names = new RegExp(`^(?:${[...lateBuiltins, ...latePackages].join('|')})$`)
  return {
    name: 'load-late',
    setup(bundler) {
      bundler.onResolve({ filter: names }, ({ path, namespace, kind }) =>
        namespace === 'late' || kind !== 'import-statement' ? undefined : { path, namespace: 'late', sideEffects: false },
      )
      bundler.onLoad({ filter: /.*/, namespace: 'late' }, async ({ path }) => {
        const file = latePackages.includes(path) ? `./late-${path}.cjs` : path
        if (file !== path) await buildLate(path, join(dist, file))
        const functions = Object.entries((await import(path)) as Record<string, unknown>).flatMap(([name, value]) =>
          typeof value === 'function' ? [name] : [],
        )
        return { contents: functions.map((name) => callLate(name, file)).join('\n'), loader: 'js' }
      })
      bundler.onResolve({ filter: /^\.\/late-/ }, ({ path, namespace }) => (namespace === 'late' ? { path, external: true } : undefined))
    },
  }
}

/** A function or class of a module that is not loaded yet, called or made with `new` as the real one. */
function callLate(name: string, file: string): string {
  return `export function ${name}(...given) { const late = require(${JSON.stringify(file)}).${name}; return new.target ? new late(...given) : late(...given) }`
}

async function buildLate(name: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: `export * from ${JSON.stringify(name)}`, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    legalComments: 'eof',
    minify: true,
    logLevel: 'warning',
  })
}

/** Turns `import('./commands/x.ts')` into an import of the ESM file that tsc built from it. */
function leaveImportsOutside(src: string, dist: string): Plugin {
  return {
    name: 'leave-imports-outside',
    setup(bundler) {
      bundler.onResolve({ filter: /.*/ }, (found) => {
        if (found.kind !== 'dynamic-import') return undefined
        if (!found.path.startsWith('.')) return { path: found.path, external: true }
        const inside = relative(src, resolve(found.resolveDir, found.path))
        if (inside.startsWith('..')) return { errors: [{ text: `import(${JSON.stringify(found.path)}) leaves src, so there is no built file for it` }] }
        const built = join(dist, inside).replace(/\.ts$/, '.js')
        if (!existsSync(built)) return { errors: [{ text: `import(${JSON.stringify(found.path)}): ${built} does not exist; run tsc -b first` }] }
        return { path: `./${relative(dist, built).split(sep).join('/')}`, external: true }
      })
    },
  }
}
