/** A host whose hook says far too much; tells how much memory that took. */
import { createServer } from 'node:http'
import { createGzip } from 'node:zlib'
import { memoryOf } from '../processes.js'
import { bashInput, createWorld } from '../world.js'

const { root, stream, bytes, pool } = JSON.parse(process.argv[2])
const world = createWorld({ root })
let origin
if (stream === 'body' || stream === 'gzip') origin = await flooding()
const flood = `head -c ${bytes} /dev/zero | tr '\\0' x${stream === 'stderr' ? ' >&2' : ''}`
const hook = origin === undefined ? { type: 'command', command: flood, timeout: 60 } : { type: 'http', url: `${origin}/`, timeout: 60 }
world.write('.claude/settings.json', {
  hooks: { PreToolUse: [{ hooks: [hook] }], PostToolUse: [{ hooks: [{ ...hook, ...(hook.command === undefined ? {} : { command: 'true' }) }] }] },
})
const h = await world.open({ pool, managed: { allowedHttpOrigins: origin === undefined ? [] : [origin] } })
// Once quietly, so that everything is loaded.
await h.fire('PostToolUse', { ...bashInput(), tool_response: {} }).catch(() => undefined)
global.gc()
const before = memoryOf().now
const began = performance.now()
let highest = before
const looking = setInterval(() => {
  highest = Math.max(highest, memoryOf().now)
}, 5)
const verdict = await h.fire('PreToolUse', bashInput())
clearInterval(looking)
const ms = performance.now() - began
highest = Math.max(highest, memoryOf().now)
const [report] = verdict.hooks
process.send({
  ending: report.ending,
  kept: { stdout: report.stdout?.length ?? 0, stderr: report.stderr?.length ?? 0 },
  growth: highest - before,
  ms,
  allowed: verdict.permission.behavior,
})
await h.close()
process.exit(0)

/** The server is a process of its own in a promise about memory: here it shares ours, so it writes one small piece again and again. */
async function flooding() {
  const piece = Buffer.alloc(65_536, 0x78)
  let quiet = true
  const server = createServer((_, response) => {
    if (quiet) {
      quiet = false
      response.end('{}')
      return
    }
    response.on('error', () => {})
    if (stream === 'gzip') response.setHeader('content-encoding', 'gzip')
    const out = stream === 'gzip' ? createGzip({ level: 1 }) : response
    if (out !== response) out.pipe(response)
    let left = bytes
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= piece.length
        if (!out.write(piece)) return void out.once('drain', more)
      }
      out.end()
    }
    more()
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  server.unref()
  return `http://127.0.0.1:${server.address().port}`
}
