/** Runs a TypeScript script of this folder: `node scripts/run.mjs scripts/build/bin.ts [argument…]`. Node 20 reads no TypeScript by itself. */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = resolve(fileURLToPath(import.meta.url), '../..')
const [script, ...rest] = process.argv.slice(2)
if (script === undefined) {
  console.error('scripts/run.mjs: name the script to run.')
  process.exit(64)
}

// Inside node_modules, so that bare imports of the bundle resolve from the root and nothing is left in the tree.
const folder = join(root, 'node_modules/.cache/hookline-scripts')
mkdirSync(folder, { recursive: true })
const bundle = join(folder, `${script.replace(/[^A-Za-z0-9]/g, '-')}-${process.pid}.mjs`)
await build({
  entryPoints: [resolve(script)],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
})
try {
  const { main } = await import(pathToFileURL(bundle).href)
  process.exitCode = await main(rest, root)
} finally {
  rmSync(bundle, { force: true })
}
