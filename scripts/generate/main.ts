/** Writes every generated file, or with `--check` says which ones are stale. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generated, generatedFolder } from './generated.ts'

/** Gives the exit code: 1 when `--check` found a stale file. */
export function main(args: readonly string[], root: string): number {
  const files = generated()
  const stale = [...files].filter(([path, text]) => read(join(root, path)) !== text)
  const left = list(root).filter((path) => !files.has(path))
  if (args.includes('--check')) {
    const paths = [...stale.map(([path]) => path), ...left]
    for (const path of paths) console.error(`${path} is stale. Run "npm run generate" and commit what it changes.`)
    return paths.length === 0 ? 0 : 1
  }
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
  for (const path of left) {
    rmSync(join(root, path))
    console.log(`removed ${path}`)
  }
  return 0
}

/** The files of the folder that holds nothing but generated ones. */
function list(root: string): string[] {
  return existsSync(join(root, generatedFolder)) ? readdirSync(join(root, generatedFolder)).map((name) => `${generatedFolder}/${name}`) : []
}

/** The text of a file; nothing when it does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
