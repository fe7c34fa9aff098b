/** One http hook, the guard on, beside a raw socket and the global fetch; the endpoint is a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createHookline } from 'hookline/node'
import { fireMany, payload } from './subject.js'

const body = Buffer.from(payload.trimEnd())

export async function open() {
  const server = fork(fileURLToPath(new URL('./http-server.js', import.meta.url)), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [port] = await once(server, 'message')
  process.once('exit', () => server.kill())
  const origin = `http://127.0.0.1:${port}`
  const hook = { type: 'http', url: `${origin}/hook` }
  const hookline = await createHookline({
    sources: [],
    settings: [{ hooks: { PreToolUse: [{ hooks: [hook] }] } }],
    managed: { allowedHttpOrigins: [origin] },
  })
  const raw = await openRaw(port)
  return {
    hook: fireMany(hookline),
    raw: () => raw(),
    async fetch() {
      const reply = await fetch(`${origin}/hook`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      await reply.json()
    },
  }
}

/** A connection that is kept open: the request written, the answer awaited. */
async function openRaw(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  const head = `POST /hook HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const request = Buffer.concat([Buffer.from(head), body])
  return () =>
    new Promise((resolve) => {
      socket.once('data', resolve)
      socket.write(request)
    })
}
