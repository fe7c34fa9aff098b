/** A host that fires very many events with every kind of hook, and looks again and again at what it holds. */
import { createServer } from 'node:http'
import { countDescriptors, memoryOf } from '../processes.js'
import { bashInput, createWorld } from '../world.js'

const { root, events } = JSON.parse(process.argv[2])
const server = createServer((request, response) => {
  request.resume()
  response.end('{}')
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${server.address().port}`
const world = createWorld({ root })
world.write('hook.mjs', 'export default () => ({ context: "c" })\n')
world.write('warm.mjs', `import { createInterface } from 'node:readline'\nfor await (const _ of createInterface({ input: process.stdin })) console.log('{}')\n`)
const group = (matcher, hook) => ({ matcher, hooks: [{ timeout: 60, ...hook }] })
world.write('.claude/settings.json', {
  permissions: { deny: ['Bash(rm *)'], allow: ['Bash(ls *)'] },
  hooks: {
    PreToolUse: [
      group('Command', { type: 'command', command: 'echo "{}"' }),
      group('Http', { type: 'http', url: `${origin}/` }),
      group('Module', { type: 'module', path: './hook.mjs' }),
      group('Warm', { type: 'command', command: `exec '${process.execPath}' warm.mjs`, persistent: true }),
    ],
  },
})
const h = await world.open({ audit: { path: `${root}/log`, sync: 'off' }, managed: { allowedHttpOrigins: [origin] } })
h.on('PreToolUse', { matcher: 'Callback' }, () => ({ context: 'seen' }))
h.on('Stop', () => undefined)
const unheard = h.trace.subscribe(() => {})

/** What one in a thousand events is; the rest is quick. */
const kindOf = (at) =>
  at % 20 === 0 ? 'Command' : at % 20 === 7 ? 'Http' : at % 20 === 11 ? 'Module' : at % 20 === 15 ? 'Warm' : at % 2 === 0 ? 'Callback' : 'Nothing'
const samples = []
let failed = 0
for (let at = 0; at <= events; at++) {
  const kind = kindOf(at)
  if (at % 50 === 3) await h.fire('Stop', { last_assistant_message: 'x' })
  else if (at % 50 === 9) await h.permit({ name: 'Bash', input: { command: `ls ${at}` }, id: `p${at}` })
  else {
    const verdict = await h.fire('PreToolUse', { ...bashInput(`ls ${at}`), tool_name: kind, tool_use_id: `t${at}` })
    if (verdict.hooks.some((hook) => hook.status === 'ran' && hook.outcome !== 'success')) failed++
  }
  if (at % Math.floor(events / 40) === 0) {
    global.gc()
    await new Promise((done) => setTimeout(done, 20))
    global.gc()
    samples.push({
      at,
      heap: process.memoryUsage().heapUsed / 2 ** 20,
      resident: memoryOf().now,
      descriptors: countDescriptors(),
      handles: process.getActiveResourcesInfo().length,
    })
  }
}
unheard()
await h.close()
server.closeAllConnections()
server.close()
process.send({ samples, failed }, () => process.exit(0))
