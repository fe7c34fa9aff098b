/** The least an HTTP endpoint can do: reads a request to its end and answers `{}` on the same connection. */
import { createServer } from 'node:net'

const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}')

createServer((socket) => {
  let pending = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (let length = wholeRequest(pending); length !== undefined; length = wholeRequest(pending)) {
      pending = pending.subarray(length)
      socket.write(answer)
    }
  })
}).listen(0, '127.0.0.1', function () {
  process.send(this.address().port)
})
process.on('disconnect', () => process.exit())

/** The length of the first request, once all of it is there. */
function wholeRequest(bytes) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))
  const whole = end + 4 + Number(length?.[1] ?? 0)
  return bytes.length < whole ? undefined : whole
}
