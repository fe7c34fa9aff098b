/** Writes every generated file, or with `--check` says which ones are stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generated } from './generated.ts'

/** Gives the exit code: 1 when `--check` found a stale file. */
export function main(args: readonly string[], root: string): number {
  const stale = [...generated()].filter(([path, text]) => read(join(root, path)) !== text)
  if (args.includes('--check')) {
    for (const [path] of stale) console.error(`${path} is stale. Run "npm run generate" and commit what it writes.`)
    return stale.length === 0 ? 0 : 1
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
  return 0
}

/** The text of a file; nothing when it does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
