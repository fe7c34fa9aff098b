/** Notices, at little cost, that a file has become another one. */
import { statSync } from 'node:fs'

/** A text that is different once any of the files was written, replaced, made or removed. */
export function stampOf(files: readonly string[]): string {
  return files.map(stamp).join('\n')
}

function stamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? 'gone' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
}
