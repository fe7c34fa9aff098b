/** The run that packs the package, installs the tarball into an empty project and uses it: slow, and it needs a package registry. */
import { defineConfig } from 'vitest/config'
import { reporters } from './vitest.config.ts'

export default defineConfig({
  test: { reporters, include: ['packages/*/test/pack/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
})
