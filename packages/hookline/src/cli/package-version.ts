/** The version of this package, as its own package.json says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `0.1.0`. */
export function packageVersion(dist: string): string {
  return (JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')) as { version: string }).version
}
