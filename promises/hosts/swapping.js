/**
 * A host whose accepted script is swapped for another all the time: behind every look that the engine takes at it (through the functions of
 * `node:fs`, which this program replaces before the engine is loaded) and at random moments.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { randomFrom } from '../random.js'

const { root, runs, seed } = JSON.parse(process.argv[2])
const random = randomFrom(seed)
const real = { renameSync: fs.renameSync, writeFileSync: fs.writeFileSync, chmodSync: fs.chmodSync, existsSync: fs.existsSync, rmSync: fs.rmSync }
const script = join(root, 'project', 'guard.sh')
const marks = { good: join(root, 'good'), evil: join(root, 'evil') }
const text = (kind) => `#!/bin/sh\n: > '${marks[kind]}'\nexit 0\n# ${kind === 'good' ? 'good' : 'evil'}\n`
let [swapped, inGap, armed] = [0, 0, false]

/** Puts the other script in its place: a new file under the old name, or new bytes in the old file. */
function swap(kind) {
  swapped++
  if (random.chance(0.5)) {
    real.writeFileSync(`${script}.new`, text(kind), { mode: 0o755 })
    real.chmodSync(`${script}.new`, 0o755)
    real.renameSync(`${script}.new`, script)
  } else real.writeFileSync(script, text(kind))
}

/** Swaps right behind a call that named the script, now and then. */
function swapBehind(args, result) {
  if (!armed || typeof args[0] !== 'string' || !args[0].endsWith('guard.sh') || args[0] !== script || !random.chance(0.4)) return result
  const act = () => {
    inGap++
    swap(random.chance(0.6) ? 'evil' : 'good')
  }
  if (typeof result?.then === 'function')
    return result.then((value) => {
      act()
      return value
    })
  act()
  return result
}
for (const name of ['statSync', 'lstatSync', 'openSync', 'readFileSync', 'realpathSync', 'existsSync', 'accessSync']) {
  const inner = fs[name]
  fs[name] = Object.assign((...args) => swapBehind(args, inner(...args)), inner)
}
for (const name of ['stat', 'lstat', 'open', 'readFile', 'realpath', 'access']) {
  const inner = fs.promises[name]
  fs.promises[name] = (...args) => swapBehind(args, inner(...args))
}
syncBuiltinESMExports()

const { createWorld, bashInput } = await import('../world.js')
const world = createWorld({ root })
world.write('guard.sh', text('good'))
world.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './guard.sh' }] }] } })
const asked = await world.open({ trust: 'pinned' })
await asked.trust.answer(asked.trust.pending[0].digest, 'always')
await asked.close()

let h = await world.open({ trust: 'pinned' })
const seen = { good: 0, evil: 0, refused: 0 }
const errors = []
for (let at = 0; at < runs; at++) {
  swap('good')
  // What was refused is looked at again; a Hookline that saw the change may leave the hook out until it is loaded anew.
  if (at % 20 === 0) {
    await h.close()
    h = await world.open({ trust: 'pinned' })
  }
  armed = true
  const late = random.chance(0.5) ? setTimeout(() => swap('evil'), random.int(6)) : undefined
  try {
    const verdict = await h.fire('PreToolUse', bashInput())
    const [report] = verdict.hooks
    if (report?.status !== 'ran' || report.ending.kind === 'refused') seen.refused++
    if (verdict.permission.behavior === 'allow') errors.push('an allow came out of it')
  } catch (error) {
    errors.push(error.stack)
  }
  armed = false
  clearTimeout(late)
  for (const kind of ['good', 'evil']) {
    if (!real.existsSync(marks[kind])) continue
    seen[kind]++
    real.rmSync(marks[kind])
  }
}
await h.close()
process.send({ runs, swapped, inGap, errors: errors.slice(0, 3), ...seen }, () => process.exit(0))
