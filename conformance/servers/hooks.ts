/** The hook server of one row, on loopback: answers by path and notes who was asked. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpAnswer } from '../row.ts'

export interface HookServer {
  port: number
  /** `METHOD /path?query`, in order. */
  requests: string[]
  close(): Promise<void>
}

/** `port` 0: any free one. */
export async function startHooks(answers: Record<string, HttpAnswer>): Promise<HookServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    requests.push(`${request.method} ${url}`)
    request.resume()
    request.on('end', () => {
      const answer = answers[url] ?? answers[url.split('?')[0] ?? '']
      if (answer === undefined) return void response.writeHead(404).end()
      if (answer.hang === true) return
      const body = answer.body === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json'
      setTimeout(() => response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers }).end(body), answer.delayMs ?? 0)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
