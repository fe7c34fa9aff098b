/** What was typed before in this folder: for the arrow keys, across sessions. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stateFolder } from 'hookline/node'
import { lineBreak } from './keys.ts'

export interface History {
  /** The newest first, each as one line. */
  readonly lines: readonly string[]
  remember(prompt: string): void
}

const keptLines = 500

/** The history of a folder; one that cannot be read or written keeps nobody from working. */
export function openHistory(folder: string, env: Readonly<Record<string, string | undefined>>): History {
  const file = join(stateFolder(env, 'history'), folder.replaceAll(/[^A-Za-z0-9]/g, '-'))
  const lines = read(file)
  return {
    lines,
    remember(prompt) {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        appendFileSync(file, `${prompt.replaceAll('\n', lineBreak)}\n`, { mode: 0o600 })
      } catch {
        // A history that cannot be kept keeps nobody from working.
      }
    },
  }
}

function read(file: string): string[] {
  try {
    const all = existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : []
    // It grows by a line per prompt: what nobody reaches any more is dropped at a start.
    if (all.length > 2 * keptLines) writeFileSync(file, `${all.slice(-keptLines).join('\n')}\n`, { mode: 0o600 })
    return all.slice(-keptLines).reverse()
  } catch {
    return []
  }
}
