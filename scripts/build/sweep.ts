/** Removes from `dist` what was built from a source that is gone, which `tsc -b` leaves behind and a package would ship. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const built = /\.(d\.ts|d\.ts\.map|js|js\.map)$/

/** Sweeps `packages/*\/dist`; gives the exit code. */
export function main(_args: readonly string[], root: string): number {
  const packages = join(root, 'packages')
  for (const name of readdirSync(packages)) {
    const dist = join(packages, name, 'dist')
    if (!existsSync(dist)) continue
    for (const file of readdirSync(dist, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name)
      const source = join(packages, name, 'src', relative(dist, path).replace(built, '.ts'))
      // What lies in `lib` was made of many sources; `doors.ts` keeps it tidy.
      if (relative(dist, path).startsWith(`lib${sep}`)) continue
      if (file.isFile() && built.test(file.name) && !existsSync(source)) rmSync(path)
    }
  }
  return 0
}
