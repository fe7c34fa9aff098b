/** The floor in C, built when there is a compiler: what the system itself asks for running the same command. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Builds and starts it; `undefined` where there is no compiler. The child gets `payload` on its standard input. */
export function startFloor(payload) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const program = join(folder, 'floor')
  const built = spawnSync('cc', ['-O2', '-o', program, fileURLToPath(new URL('./floor.c', import.meta.url))], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (built.status !== 0) {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const child = spawn(program, [payload], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    /** The median time of `count` runs of a shell command, in milliseconds; each is of `width` at once, until the last has ended. */
    async ask(command, count, width = 1) {
      child.stdin.write(`${count} ${width} ${command}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('the floor ended before it answered')
      const times = value.trim().split(' ').map(Number)
      return { wall: times.sort((a, b) => a - b)[times.length >> 1] / 1e6 }
    },
    stop() {
      child.stdin.end()
      rmSync(folder, { recursive: true })
    },
  }
}
