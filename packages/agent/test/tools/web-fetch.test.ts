/** WebFetch against real servers on loopback: pages, redirects, guards and limits. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createWebFetch, webFetch } from '../../src/tools/web-fetch.ts'
import { openBench } from './bench.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const page: RequestListener = (request, response) => {
  const to = (status: number, headers: Record<string, string>, body: string | Buffer = '') => void response.writeHead(status, headers).end(body)
  if (request.url === '/html')
    return to(
      200,
      { 'content-type': 'text/html; charset=utf-8' },
      '<html><head><style>x{}</style></head><body><h1>Títle</h1><p>a <b>b</b></p><script>bad()</script></body></html>',
    )
  if (request.url === '/zip') return to(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, gzipSync('zipped'))
  if (request.url === '/bomb') return to(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(11 * 1024 * 1024, 97)))
  if (request.url === '/long') return to(200, { 'content-type': 'text/plain' }, 'x'.repeat(150_000))
  if (request.url === '/bin') return to(200, { 'content-type': 'image/png' }, Buffer.from([1, 2, 3]))
  if (request.url === '/here') return to(302, { location: '/html' })
  if (request.url === '/loop') return to(302, { location: '/loop' })
  if (request.url === '/away') return to(301, { location: 'http://169.254.169.254/latest' })
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('half')
    return void setTimeout(() => response.destroy(), 20)
  }
  return to(404, { 'content-type': 'text/plain' }, 'no such page')
}

async function fetched(path: string) {
  const origin = await serve(page)
  const bench = await openBench()
  return { bench, url: `${origin}${path}`, tool: createWebFetch([origin]) }
}

describe('a page', () => {
  it.each([
    ['of HTML comes as Markdown, without scripts and styles', '/html', '# Títle\n\na **b**'],
    ['that is packed is unpacked', '/zip', 'zipped'],
    ['that leads on within its host is followed', '/here', '# Títle\n\na **b**'],
    ['that is no text is named', '/bin', '[image/png, 3 bytes; not text, so it is not shown]'],
    ['that is not there says so', '/nope', 'The server answered 404 Not Found.\n\nno such page'],
  ])('%s', async (_title, path, expected) => {
    const { bench, tool, url } = await fetched(path)
    expect((await bench.run(tool, { url, prompt: 'p' })).text).toBe(expected)
  })

  it('shows hooks the address, the status and the size', async () => {
    const { bench, tool, url } = await fetched('/zip')
    expect((await bench.run(tool, { url, prompt: 'p' })).response).toEqual({
      url,
      bytes: 6,
      code: 200,
      codeText: 'OK',
      result: 'zipped',
      durationMs: expect.any(Number),
    })
  })

  it.each([
    [
      'that is long goes to the small model with the question',
      '/long',
      async ({ prompt, text }: { prompt: string; text: string }) => `${prompt}? ${text.slice(0, 3)}!`,
      /^what\? xxx!$/,
    ],
    ['that is short is read whole', '/zip', async () => 'asked', /^zipped$/],
    [
      'is given whole when the small model fails',
      '/long',
      () => Promise.reject(new Error('it is busy')),
      /^x{100000}[\s\S]*because no small model answered: it is busy\]$/,
    ],
  ])('%s', async (_title, path, summarize, expected) => {
    const { bench, tool, url } = await fetched(path)
    bench.workspace.services.summarize = summarize
    expect((await bench.run(tool, { url, prompt: 'what' })).text).toMatch(expected)
  })

  it('that is long is cut', async () => {
    const { bench, tool, url } = await fetched('/long')
    expect((await bench.run(tool, { url, prompt: 'p' })).text).toMatch(/^x{100000}\n\n\[50000 characters left out\]$/)
  })
})

describe('the guard', () => {
  it('reports a redirect to another host and does not follow it', async () => {
    const { bench, tool, url } = await fetched('/away')
    expect((await bench.run(tool, { url, prompt: 'p' })).text).toMatch(/^REDIRECT DETECTED[\s\S]*Redirect URL: http:\/\/169\.254\.169\.254\/latest/)
  })

  it.each([
    ['this machine', 'http://127.0.0.1:8080/', /may not be fetched \(loopback\)/],
    ['this machine by name', 'https://localhost/', /may not be fetched \(loopback\)/],
    ['this machine in other figures', 'http://2130706433/', /may not be fetched \(loopback\)/],
    ['the addresses of a cloud', 'http://169.254.169.254/latest/meta-data', /may not be fetched \(link-local\)/],
    ['private networks', 'http://10.0.0.1/', /may not be fetched \(private\)/],
    ['private networks in IPv6', 'http://[fd00::1]/', /may not be fetched/],
    ['files', 'file:///etc/passwd', /may not be fetched/],
    ['addresses with a password', 'https://a:b@example.com/', /name or password/],
    ['what is no address', 'example', /^Invalid URL "example"/],
  ])('refuses %s', async (_title, url, expected) => {
    const bench = await openBench()
    expect(await bench.fails(webFetch, { url, prompt: 'p' })).toMatch(expected)
  })

  it('lets an allowed origin through and no other port of the same host', async () => {
    const { bench, tool } = await fetched('/html')
    const other = await serve(page)
    expect(await bench.fails(tool, { url: other, prompt: 'p' })).toMatch(/loopback/)
  })
})

describe('a server that misbehaves', () => {
  it.each([
    ['that sends far too much', '/bomb', /larger than 10 MB/],
    ['that breaks off', '/cut', /broke off/],
    ['that leads in circles', '/loop', /redirects more than 5 times/],
  ])('%s is a failure of the tool', async (_title, path, expected) => {
    const { bench, tool, url } = await fetched(path)
    expect(await bench.fails(tool, { url, prompt: 'p' })).toMatch(expected)
  })

  it('that is silent is left at an abort', async () => {
    const origin = await serve(() => undefined)
    const bench = await openBench()
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(bench.run(createWebFetch([origin]), { url: origin, prompt: 'p' }, { signal: stop.signal })).rejects.toThrow('enough')
  })
})
