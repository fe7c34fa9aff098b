/** The test run: behaviour in one project, type tests in another. The pack test has a run of its own, `npm run test:pack`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

// Doors of the workspace resolve to sources, so that tests never see a stale build. By name and not by the condition `source`:
// Node would hear of the condition too, and libraries ship sources under it that Node cannot read.
const alias = ['hookline', 'agent'].flatMap((folder) => {
  const home = new URL(`packages/${folder}/`, import.meta.url)
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8')) as {
    name: string
    exports: Record<string, string | { source?: string }>
  }
  return Object.entries(exports).flatMap(([door, to]) =>
    typeof to === 'object' && to.source !== undefined
      ? [{ find: new RegExp(`^${name}${door.slice(1)}$`), replacement: fileURLToPath(new URL(to.source, home)) }]
      : [],
  )
})

/** People read the default report; a program that wants to count names a file for the other. */
export const reporters: NonNullable<NonNullable<ViteUserConfig['test']>['reporters']> =
  process.env.HOOKLINE_TEST_JSON === undefined ? ['default'] : ['default', ['json', { outputFile: process.env.HOOKLINE_TEST_JSON }]]

export default defineConfig({
  test: {
    reporters,
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'behaviour',
          include: ['packages/*/test/**/*.test.ts', 'conformance/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/test/pack/**', '**/test/data/**'],
          setupFiles: ['packages/hookline/test/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Real processes on a machine with neighbours: CI asks a failing test again, and the report says that it did.
          retry: process.env.CI === undefined ? 0 : 2,
        },
      },
      {
        test: {
          name: 'types',
          include: [],
          typecheck: { enabled: true, only: true, include: ['packages/*/test/types/*.test-d.ts'], tsconfig: './packages/hookline/test/types/tsconfig.json' },
        },
      },
    ],
  },
})
