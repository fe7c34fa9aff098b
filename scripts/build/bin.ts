/** Builds the command line: one CommonJS file with `fire` in it; what it loads with `import()` stays outside, as the ESM files that tsc wrote. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
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
    charset: 'utf8',
    // `import.meta` is empty in CommonJS: whatever `fire` reaches must have its paths passed in.
    logOverride: { 'empty-import-meta': 'error' },
    logLevel: 'warning',
    plugins: [leaveImportsOutside(join(home, 'src'), dirname(outfile))],
  })
  console.log(`bin: ${relative(root, outfile)}, ${Math.round(statSync(outfile).size / 1024)} KiB`)
  return 0
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
