/** Builds what is published of `hookline`: the command and the doors, over one set of chunks. Types are tsc's; ADR 18 has the reasons. */

import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { bundle, removeOthers, write } from './bundle.ts'
import { callLate, lateCall } from './late.ts'
import { lateParts } from './late-parts.ts'

/** Doors whose functions come with the first call, and what is there at once, as it may be no function. */
const doors: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  index: {
    'errors.ts': ['HooklineError'],
    'protocol/define-hooks.ts': ['defineHooks'],
    'protocol/events.ts': ['eventNames', 'events'],
    'protocol/shorthands.ts': ['allow', 'ask', 'block', 'context', 'defer', 'deny', 'stop'],
    'protocol/tools.ts': ['toolNames'],
  },
  node: { 'audit/table.ts': ['tableHead'], 'platform/untouched.ts': ['countPassedBy'] },
  testing: {},
}

/** Rooms that import nothing of ours but doors. */
const users: readonly string[] = ['adapters', 'cli', 'testing']

/** Writes `packages/hookline/dist`; gives the exit code. */
export async function main(_args: readonly string[], root: string): Promise<number> {
  const home = join(root, 'packages/hookline')
  const [src, dist] = [join(home, 'src'), join(home, 'dist')]
  const exported = Object.fromEntries(await Promise.all(Object.keys(doors).map(async (door) => [door, await namesOf(join(src, `${door}.ts`))] as const)))
  const outputs = await bundle({
    src,
    dist,
    late: lateParts,
    entries: { cli: join(src, 'cli/main.ts'), ...Object.fromEntries(Object.keys(doors).map((door) => [`lib/${door}`, `door:${door}`])) },
    plugins: [openDoors(src, exported)],
  })
  for (const [door, names] of Object.entries(exported)) {
    refuseLateValues(join(dist, realDoor(outputs, door)), door, names)
    write(join(dist, `${door}.js`), `import door from './lib/${door}.cjs'\nexport const { ${names.join(', ')} } = door\n`)
  }
  const hook = await buildHook(src, dist)
  removeOthers(dist, new Set([...Object.keys(outputs), ...hook, ...Object.keys(doors).map((door) => `${door}.js`)]))
  report(dist, outputs)
  return 0
}

/** What a door exports, types left out. */
async function namesOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({ entryPoints: [file], write: false, metafile: true, format: 'esm', logLevel: 'warning', outdir: '/' })
  return Object.values(metafile.outputs)[0]?.exports ?? []
}

/** A door is a few values, and functions that load the rest. */
function openDoors(src: string, exported: Readonly<Record<string, readonly string[]>>): Plugin {
  return {
    name: 'open-doors',
    setup(bundler) {
      // The command line and the rooms beside it use the doors, as everybody does.
      bundler.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir, kind }) => {
        const room = relative(src, importer).split(sep)[0] ?? ''
        const door = relative(src, resolve(resolveDir, path)).replace(/\.ts$/, '')
        return kind === 'import-statement' && users.includes(room) && door in doors ? { path: door, namespace: 'door', sideEffects: false } : undefined
      })
      bundler.onResolve({ filter: /^door:/ }, ({ path }) => ({ path: path.slice('door:'.length), namespace: 'door' }))
      bundler.onLoad({ filter: /.*/, namespace: 'door' }, ({ path: door }) => {
        const atOnce = Object.entries(doors[door] ?? {})
        const early = new Set(atOnce.flatMap(([, names]) => names))
        const late = (exported[door] ?? []).filter((name) => !early.has(name))
        const lines = atOnce.map(([file, names]) => `export { ${names.join(', ')} } from ${JSON.stringify(`./${file}`)}`)
        return { contents: [...lines, callLate(late, `${lateCall}(() => import("./${door}.ts"))`)].join('\n'), loader: 'js', resolveDir: src }
      })
    },
  }
}

/** A class or a value behind a function would not be what its type says. @throws Error naming it. */
function refuseLateValues(file: string, door: string, names: readonly string[]): void {
  const real = createRequire(file)(file) as Record<string, unknown>
  const early = new Set(Object.values(doors[door] ?? {}).flat())
  const wrong = names.filter((name) => !early.has(name) && (typeof real[name] !== 'function' || String(real[name]).startsWith('class')))
  if (wrong.length > 0)
    throw new Error(`scripts/build/doors.ts: ${wrong.join(', ')} of ${door}.ts is no function, so it must be there at once: list it in "doors".`)
}

/** The file in which a door stands as it was written. @throws Error when there is none. */
function realDoor(outputs: Awaited<ReturnType<typeof bundle>>, door: string): string {
  const part = Object.entries(lateParts.together).find(([, files]) => files.includes(`${door}.ts`))?.[0]
  const entry = part === undefined ? `src/${door}.ts` : `late-group:${part}`
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`scripts/build/doors.ts: nothing was built for ${door}.ts.`)
  return found[0]
}

/** A hook is its own program: one ES module, and beside it what a hook needs that answers. */
async function buildHook(src: string, dist: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(src, 'hook.ts')],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'ascii',
    minify: true,
    chunkNames: 'lib/[name]-[hash]',
    absWorkingDir: dist,
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.outputs)
}

function report(dist: string, outputs: Awaited<ReturnType<typeof bundle>>): void {
  const size = (name: string): number => Math.round(filesOf(name, outputs).reduce((sum, file) => sum + statSync(join(dist, file)).size, 0) / 1024)
  const all = Object.keys(outputs).reduce((sum, file) => sum + (existsSync(join(dist, file)) ? statSync(join(dist, file)).size : 0), 0)
  const parts = ['cli.cjs', ...Object.keys(doors).map((door) => `lib/${door}.cjs`)].map((name) => `${name} ${size(name)}`)
  console.log(`doors: loaded at once, in KiB: ${parts.join(', ')}; all ${Math.round(all / 1024)}`)
}

/** A file and what it loads at once. */
function filesOf(name: string, outputs: Awaited<ReturnType<typeof bundle>>, seen: Set<string> = new Set()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const imports = outputs[name]?.imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true) ?? []
  const below = Object.keys(outputs).filter((file) => imports.some(({ path }) => path.endsWith(relative('', file))))
  return [name, ...below.flatMap((file) => filesOf(file, outputs, seen))]
}
