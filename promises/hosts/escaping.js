/** A host whose hooks start children that leave: a session of their own, no environment, nobody to wait for them. */
import { bashInput, createWorld } from '../world.js'

const { root, word, sandbox, hooks } = JSON.parse(process.argv[2])
const world = createWorld({ root })
const leave = (at) => `env -i /usr/bin/setsid /bin/sleep ${word}.${String(at).padStart(4, '0')} >/dev/null 2>&1 </dev/null &\necho started`
const list = Array.from({ length: hooks }, (_, at) => ({ type: 'command', command: leave(at), timeout: 20, ...(sandbox === undefined ? {} : { sandbox }) }))
world.write('.claude/settings.json', { hooks: { PreToolUse: [{ hooks: list }] } })
const notices = []
const h = await world.open({ onNotice: (notice) => notices.push(notice.code) })
const verdict = await h.fire('PreToolUse', bashInput())
const skipped = verdict.hooks.filter((hook) => hook.status === 'skipped').map((hook) => hook.skipped.why)
const started = verdict.hooks.filter((hook) => hook.status === 'ran' && hook.ending.kind === 'exited' && hook.ending.code === 0).length
const warnings = [...h.diagnostics, ...verdict.warnings].map(({ code, message }) => `${code}: ${message}`)
const other = verdict.hooks.find((hook) => hook.status === 'ran' && (hook.ending.kind !== 'exited' || hook.ending.code !== 0))
process.send({ started, skipped, warnings, notices, other: other?.ending })
await h.close()
process.exit(0)
