/** What it costs to import the doors, over a bare start of Node. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { row, spread } from '../measure.js'

export const title = 'B0 imports'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function run({ rounds }) {
  const start = (code) => {
    const before = process.hrtime.bigint()
    spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'ignore' })
    return Number(process.hrtime.bigint() - before) / 1e6
  }
  const bare = []
  const root_ = []
  const node = []
  for (let round = 0; round < Math.max(5, rounds * 2); round++) {
    bare.push(start('0'))
    root_.push(start("import 'hookline'"))
    node.push(start("import 'hookline/node'"))
  }
  const over = (times) => spread(times.map((time, round) => time - bare[round]))
  return [
    row('B0', "importing 'hookline', ms over a bare start", over(root_), { atMost: 15 }),
    row('B0', "importing 'hookline/node', ms over a bare start", over(node), { atMost: 40 }),
  ]
}
