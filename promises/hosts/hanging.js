/** A host that fires one event with many hooks that hang. */
import { bashInput, createWorld } from '../world.js'

const { root, hooks, word, timeout } = JSON.parse(process.argv[2])
const world = createWorld({ root })
world.write('hang.sh', `#!/bin/sh\ntrap '' TERM HUP INT\nsleep "$1.\${2}" & sleep "$1.\${2}" & sleep "$1.\${2}" &\nwait\nsleep "$1.\${2}"\n`)
const list = Array.from({ length: hooks }, (_, at) => ({ type: 'command', command: `./hang.sh ${word} ${String(at).padStart(4, '0')}`, timeout }))
world.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: list }] } })
const h = await world.open()
const began = performance.now()
const verdict = await h.fire('PreToolUse', bashInput())
const endings = {}
for (const { ending } of verdict.hooks) endings[ending?.kind ?? 'skipped'] = (endings[ending?.kind ?? 'skipped'] ?? 0) + 1
process.send({ endings, ms: performance.now() - began })
await h.close()
process.exit(0)
