/** The walls between folders: nothing in the tree climbs one, every source file was looked at, and each wall stands. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root, sourcePages } from './reading.ts'

// Two runs over the whole tree, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000 })

interface Cruise {
  modules: { source: string }[]
  summary: { violations: { from: string; to: string; rule: { name: string } }[] }
}

/** Runs dependency-cruiser with the configuration of this repository over the packages of `folder`. */
async function cruise(folder: string): Promise<Cruise> {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const options = ['packages', '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json']
  const stdout = await new Promise<string>((done, failed) => {
    // Its exit code is the number of violations.
    execFile(process.execPath, [command, ...options], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (_error, out, complaint) => {
      if (out === '') failed(new Error(`dependency-cruiser said nothing: ${complaint}`))
      else done(out)
    })
  })
  return JSON.parse(stdout) as Cruise
}

describe('in this tree', () => {
  const seen = cruise(root)

  test('nothing climbs a wall', async () => {
    expect((await seen).summary.violations.map((one) => `${one.rule.name}: ${one.from} → ${one.to}`)).toEqual([])
  })

  test('every source file was looked at', async () => {
    const modules = new Set((await seen).modules.map((module) => module.source))
    expect(
      sourcePages()
        .map((page) => page.path)
        .filter((path) => !modules.has(path)),
    ).toEqual([])
  })
})

describe('a wall stands', () => {
  const src = 'packages/hookline/src'
  const probes: [rule: string, from: string, imports: string][] = [
    ['errors-imports', 'errors.ts', './protocol/a.ts'],
    ['protocol-imports', 'protocol/probe.ts', '../config/a.ts'],
    ['protocol-without-node', 'protocol/probe.ts', 'node:fs'],
    ['permission-imports', 'permission/probe.ts', '../config/a.ts'],
    ['permission-without-node', 'permission/probe.ts', 'node:path'],
    ['audit-imports', 'audit/probe.ts', '../config/a.ts'],
    ['audit-without-node', 'audit/probe.ts', 'node:crypto'],
    ['config-imports', 'config/probe.ts', '../engine/a.ts'],
    ['config-without-node', 'config/probe.ts', 'node:fs'],
    ['engine-imports', 'engine/probe.ts', '../handlers/a.ts'],
    ['engine-without-node', 'engine/probe.ts', 'node:fs'],
    ['station-imports', 'station/probe.ts', '../handlers/a.ts'],
    ['station-without-node', 'station/probe.ts', 'node:fs'],
    ['process-imports', 'process/probe.ts', '../config/a.ts'],
    ['handlers-imports', 'handlers/probe.ts', '../engine/a.ts'],
    ['platform-imports', 'platform/probe.ts', '../handlers/a.ts'],
    ['dialects-imports', 'dialects/probe.ts', '../engine/a.ts'],
    ['index-imports', 'index.ts', './platform/a.ts'],
    ['root-door-is-neutral', 'index.ts', './handlers/command.ts'],
    ['node-imports', 'node.ts', './cli/probe.ts'],
    ['node-without-node', 'node.ts', 'node:fs'],
    ['hook-imports', 'hook.ts', './engine/a.ts'],
    ['hook-without-node', 'hook.ts', 'node:fs'],
    ['hook-imports-no-library', 'hook.ts', 'jsonc-parser'],
    ['public-doors-only', 'cli/probe.ts', '../protocol/a.ts'],
    ['public-doors-only', 'adapters/probe.ts', '../engine/a.ts'],
    ['public-doors-only', 'testing.ts', './engine/a.ts'],
    ['public-doors-only', '../../agent/src/probe.ts', '../../hookline/src/engine/a.ts'],
    ['cli-loads-packages-late', 'cli/probe.ts', '../../../agent/src/a.ts'],
    ['one-starter-of-processes', 'handlers/probe.ts', 'node:child_process'],
    ['one-opener-of-sockets', 'platform/probe.ts', 'node:net'],
    ['no-unresolvable', 'engine/probe.ts', './ghost.ts'],
    ['no-undeclared-package', 'platform/probe.ts', 'typescript'],
    ['no-cycle', 'permission/circle.ts', './round.ts'],
    ['no-test-in-src', 'platform/probe.ts', '../../test/a.ts'],
  ]
  // Real: dependency-cruiser compares real paths.
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-walls-')))
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  const files = new Map<string, string>()
  const add = (path: string, line: string) => files.set(path, `${files.get(path) ?? ''}${line}\n`)
  for (const folder of ['protocol', 'config', 'engine', 'handlers', 'platform', 'process']) add(join(src, folder, 'a.ts'), 'export const a = 1')
  add('packages/agent/src/a.ts', 'export const a = 1')
  add('packages/hookline/test/a.ts', 'export const a = 1')
  add(join(src, 'handlers/command.ts'), "export * from '../process/a.ts'")
  add(join(src, 'permission/round.ts'), "export * from './circle.ts'")
  for (const [, from, imports] of probes) add(join(src, from), `export * from '${imports}'`)
  for (const [path, text] of files) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  cpSync(join(root, 'packages/hookline/package.json'), join(tree, 'packages/hookline/package.json'))
  for (const library of ['jsonc-parser', 'typescript']) {
    mkdirSync(join(tree, 'node_modules', library), { recursive: true })
    writeFileSync(join(tree, 'node_modules', library, 'package.json'), JSON.stringify({ name: library, version: '1.0.0', main: 'index.js' }))
    writeFileSync(join(tree, 'node_modules', library, 'index.js'), 'module.exports = {}\n')
  }
  const seen = cruise(tree)

  test.each(probes)('%s: %s may not import %s', async (rule, from) => {
    const path = join(src, from)
    const broken = (await seen).summary.violations.filter((one) => one.from === path).map((one) => one.rule.name)
    expect(broken).toContain(rule)
  })

  test('and lets through what the table allows', async () => {
    const { summary } = await seen
    expect(summary.violations.filter((one) => one.from.endsWith('handlers/command.ts'))).toEqual([])
  })
})
