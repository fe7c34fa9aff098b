/** Promise 12: every decision is recorded before it takes effect, and what is done to the record afterwards is found. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyAuditLog } from 'hookline/node'
import { count, Tally } from '../result.js'
import { bashInput, createWorld, hooksFor, scratch } from '../world.js'

export const promises = [
  { id: '12a', words: 'every decision is in the audit log before it takes effect', run: ahead },
  { id: '12b', words: 'one-byte edits, removals and swaps in the audit log are found', run: edits },
]

const said = { permission: 'deny', reason: 'no' }
const logFiles = (folder) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'))

async function ahead({ short, tell }) {
  const tally = new Tally()
  const world = createWorld()
  const folder = join(world.root, 'log')
  const h = await world.open({ audit: { path: folder, sync: 'decision' } })
  let saying
  h.on('PreToolUse', () => saying)
  h.on('UserPromptSubmit', () => (saying?.permission === 'deny' ? { block: 'no' } : undefined))
  let read = 0
  const names = new Set()
  for (let at = 0; at < (short ? 200 : 2_000); at++) {
    saying = [said, { permission: 'allow' }, { permission: 'ask', reason: 'q' }, undefined][at % 4]
    const verdict = at % 5 === 0 ? await h.fire('UserPromptSubmit', { prompt: 'x' }) : await h.fire('PreToolUse', bashInput())
    // Read as the kernel has it, the moment the verdict is handed over.
    const text = logFiles(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
    const fresh = text.slice(read)
    read = text.length
    for (const name of fresh.matchAll(/"callId":"([^"]+)"|"call":"([^"]+)"/g)) names.add(name[1] ?? name[2])
    tally.add(
      names.has(verdict.callId)
        ? undefined
        : `the decision of call ${verdict.callId} (${verdict.permission?.behavior ?? verdict.blocked}) was handed over before its record was written`,
    )
    tell(`${at} decisions`)
  }
  await h.close()
  return tally.done('read from the file the moment the verdict was handed over')
}

async function edits({ random, short, tell }) {
  const tally = new Tally()
  const world = createWorld()
  const folder = join(world.root, 'log')
  world.write('.claude/settings.json', hooksFor({ PreToolUse: { type: 'command', command: 'exit 2' } }))
  const h = await world.open({ audit: { path: folder, sync: 'off' } })
  for (let at = 0; at < 60; at++) await h.fire('PreToolUse', bashInput(`echo ${at} é ${'x'.repeat(at)}`))
  await h.close()
  const [name] = logFiles(folder)
  const good = readFileSync(join(folder, name))
  const stateOf = async (path) => (await verifyAuditLog(path)).map(({ state }) => state)
  if ((await stateOf(folder)).join() !== 'good') tally.fail(`the untouched log is ${await stateOf(folder)}`)
  const lines = splitLines(good)
  const kinds = { edit: 0, removal: 0, swap: 0, insertion: 0, cut: 0 }
  const base = scratch('edits')
  for (let at = 0; at < (short ? 80 : 1_000); at++) {
    const kind = random.pick(Object.keys(kinds))
    const changed = change(kind, { random, good, lines })
    if (changed === undefined || changed.bytes.equals(good)) {
      at--
      continue
    }
    kinds[kind]++
    const place = join(base, String(at))
    mkdirSync(place)
    for (const other of readdirSync(folder)) copyFileSync(join(folder, other), join(place, other))
    writeFileSync(join(place, name), changed.bytes)
    const states = await stateOf(place)
    const found = states.includes('broken') || states.includes('unreadable') || (changed.mayBeTorn === true && states.includes('torn'))
    tally.add(found ? undefined : `${kind} (${changed.what}) gives ${states.join()}`)
    rmSync(place, { recursive: true })
    tell(`${at} edits`)
  }
  return tally.done(
    `${Object.entries(kinds)
      .map(([kind, number]) => `${number} ${kind}s`)
      .join(', ')} in ${lines.length} records (${count(good.length)} bytes)`,
  )
}

function splitLines(bytes) {
  const lines = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at) + 1
    lines.push(bytes.subarray(at, end))
    at = end
  }
  return lines
}

/** A changed copy. A cut of whole records at the newest end cannot be seen without an anchor elsewhere, so it is not tried. */
function change(kind, { random, good, lines }) {
  const line = random.int(lines.length)
  const without = lines.filter((_, at) => at !== line)
  switch (kind) {
    case 'edit': {
      const at = random.int(good.length)
      const bytes = Buffer.from(good)
      bytes[at] = random.chance(0.5) ? bytes[at] ^ (1 << random.int(8)) : random.int(256)
      // The last newline alone is what a crash may leave out; anything else there is no crash.
      return { bytes, what: `byte ${at}: ${good[at]} → ${bytes[at]}`, mayBeTorn: at === good.length - 1 }
    }
    case 'removal':
      return line === lines.length - 1 ? undefined : { bytes: Buffer.concat(without), what: `record ${line}` }
    case 'swap': {
      const other = random.int(lines.length)
      const mixed = [...lines]
      ;[mixed[line], mixed[other]] = [mixed[other], mixed[line]]
      return { bytes: Buffer.concat(mixed), what: `records ${line} and ${other}` }
    }
    case 'insertion':
      return { bytes: Buffer.concat([...lines.slice(0, line), lines[random.int(lines.length)], ...lines.slice(line)]), what: `before record ${line}` }
    default: {
      const start = 1 + random.int(good.length - 2)
      const end = random.chance(0.5) ? good.length : Math.min(good.length, start + 1 + random.int(200))
      if (good[start - 1] === 10 && end === good.length) return undefined
      return { bytes: Buffer.concat([good.subarray(0, start), good.subarray(end)]), what: `bytes ${start} to ${end}`, mayBeTorn: end === good.length }
    }
  }
}
