/** Promise 11: no value of a variable changes how many headers a request has. */
import { createServer } from 'node:net'
import { Tally } from '../result.js'
import { bashInput, createWorld, hooksFor } from '../world.js'

export const promises = [{ id: '11', words: 'hostile header values: no request with a changed header count', run: headers }]

const nasty = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\u010a',
  '\u010d',
  '\u2028',
  '\u0085',
  '\r\n ',
  '\r\n\t',
  '\u560a',
  '%0d%0a',
  '\\r\\n',
  '\r\n\r\n',
  '\u{1f600}',
  '\t',
  '\v',
  '\f',
  '\x7f',
  '\x1b[2J',
  ':',
  'X-B: 1',
]
const words = ['X-Evil: 1', 'Content-Length: 0', 'Transfer-Encoding: chunked', 'Host: evil.test', 'POST /x HTTP/1.1', 'a', ' ', '{"x":1}', '']

async function headers({ random, short }) {
  const tally = new Tally()
  const requests = []
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const lines = text.slice(0, end).split('\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(text.slice(0, end))?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      requests.push({ lines, rest: text.slice(end + 4 + length) })
      text = ''
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
    })
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${server.address().port}`
  const world = createWorld()
  const hook = { type: 'http', url: `${origin}/hook`, headers: { 'X-Token': 'Bearer $VALUE', 'X-Other': 'fixed' }, allowedEnvVars: ['VALUE'] }
  world.write('.claude/settings.json', hooksFor({ PreToolUse: hook }))
  const ask = async (value) => {
    requests.length = 0
    const h = await world.open({ env: { VALUE: value }, managed: { allowedHttpOrigins: [origin] } })
    try {
      return await h.fire('PreToolUse', bashInput())
    } finally {
      await h.close()
    }
  }
  await ask('plain')
  const usual = requests[0]?.lines.length
  if (usual === undefined || !requests[0].lines.some((line) => /^x-token: Bearer plain$/i.test(line))) tally.fail('the plain value did not arrive')
  let refused = 0
  for (let at = 0; at < (short ? 50 : 500); at++) {
    const value = Array.from({ length: 1 + random.int(4) }, () => random.pick(words) + random.pick(nasty) + random.pick(words)).join('')
    try {
      await ask(value)
      if (requests.length === 0) refused++
      const wrong = requests.find(({ lines, rest }) => lines.length !== usual || rest !== '' || lines.some((line) => /[\n\r\0]/.test(line)))
      tally.add(requests.length > 1 || wrong !== undefined ? `${JSON.stringify(value)} sent ${JSON.stringify(requests)}` : undefined)
    } catch (error) {
      tally.add(`${JSON.stringify(value)} threw ${error.stack}`)
    }
  }
  server.close()
  return tally.done(`counted by a server that reads bytes; ${refused} not sent at all`)
}
