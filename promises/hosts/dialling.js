/** A host that fires http hooks in a network where every address is this process; counts who was connected to. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { bashInput, createWorld } from '../world.js'

const { root, rows } = JSON.parse(process.argv[2])
const optIn = ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']
let row
let connections = []
const asked = new Map()

await serveNames()
const ports = new Set([80, 443, 3128, 8080, 8443, 9999])
for (const { url } of rows) {
  try {
    const { port } = new URL(url)
    if (port !== '') ports.add(Number(port))
  } catch {
    // No URL, no port.
  }
}
for (const port of ports) await listen(port)

const found = []
for (row of rows) found.push(await tryRow())
process.send(found, () => process.exit(0))

async function tryRow() {
  connections = []
  asked.clear()
  const world = createWorld({ root: `${root}/${row.id}` })
  world.write('.claude/settings.json', {
    ...(row.projectEnv === undefined ? {} : { env: row.projectEnv }),
    hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: row.url, timeout: 5 }] }] },
  })
  const h = await world.open({ managed: row.policy === 'loopback-optin' ? { allowedHttpOrigins: optIn } : {} })
  try {
    // Twice: a second look-up may answer something else.
    const verdicts = [await h.fire('PreToolUse', bashInput()), await h.fire('PreToolUse', bashInput())]
    const [report] = verdicts[1].hooks
    return {
      id: row.id,
      connections,
      ending: report?.ending,
      skipped: report?.skipped,
      diagnostics: h.diagnostics.map(({ code }) => code),
      allowed: verdicts.some(({ permission }) => permission.behavior === 'allow'),
    }
  } catch (error) {
    return { id: row.id, connections, threw: error.stack }
  } finally {
    await h.close()
    world.remove()
  }
}

/** Answers plain http with an allow, and lets TLS fail: it is the connection that counts. */
function listen(port) {
  const server = createServer((socket) => {
    connections.push({ address: socket.localAddress.replace(/^::ffff:/, ''), port })
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      if (bytes[0] === 22) return socket.destroy()
      const body = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
      const [status, location] = row.redirects === undefined ? ['200 OK', ''] : ['307 Temporary Redirect', `location: ${row.redirects[0]}\r\n`]
      socket.end(`HTTP/1.1 ${status}\r\n${location}content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
    })
  })
  return new Promise((ready, fail) => server.once('error', fail).listen(port, '::', ready))
}

/** A name server that says what the row says. */
function serveNames() {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => socket.send(answer(query), from.port, from.address))
  return new Promise((ready, fail) => socket.once('error', fail).bind(53, '127.0.0.1', ready))
}

function answer(query) {
  const labels = []
  let at = 12
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]))
    at += 1 + query[at]
  }
  const type = query.readUInt16BE(at + 1)
  const question = query.subarray(12, at + 5)
  const name = labels.join('.').toLowerCase()
  const key = `${name} ${type}`
  const times = asked.get(key) ?? 0
  asked.set(key, times + 1)
  const all = row.dnsSequence?.[Math.min(times, row.dnsSequence.length - 1)] ?? row.dns?.[name] ?? row.dns?.[`${name}.`] ?? []
  const wanted = all.filter((address) => address.includes(':') === (type === 28))
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(all.length === 0 ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(wanted.length, 6)
  const records = wanted.map((address) => {
    const data = type === 28 ? bytesOf6(address) : Buffer.from(address.split('.').map(Number))
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, question, ...records])
}

function bytesOf6(address) {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const hex = (high, low) => ((Number(high) << 8) | Number(low)).toString(16)
  const plain = dotted === null ? address : `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`
  const [head, tail] = plain.split('::')
  const groups = (text) => (text === undefined || text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail)]
  const whole = plain.includes('::') ? [...left, ...Array(8 - left.length - right.length).fill('0'), ...right] : left
  return Buffer.from(whole.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]))
}
