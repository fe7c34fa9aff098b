/** One GET of a page from the network: public addresses only, judged before the connection that is then made to just those. */
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { judgeUrl } from 'hookline/node'
import { ToolError } from './tool.ts'

export interface Page {
  status: number
  statusText: string
  /** Where a redirect leads, absolute. */
  location?: string
  contentType: string
  bytes: Buffer
}

export interface GetOptions {
  signal: AbortSignal
  /** Exact origins that may be reached although their addresses are not public. */
  allowedOrigins: readonly string[]
  limitBytes: number
}

/** @throws ToolError when the address is refused, cannot be reached or sends too much. */
export async function guardedGet(url: URL, options: GetOptions): Promise<Page> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await lookUp(host) : [host]
  const judged = await judgeUrl(url.href, { allowedHttpOrigins: options.allowedOrigins, dns: { [url.hostname]: addresses } })
  if (judged.expect === 'deny')
    throw new ToolError(`${url.origin} may not be fetched (${judged.reason}): only public addresses, or an origin that HOOKLINE_HTTP_ORIGINS lists.`)
  // The name is not looked up again: between two look-ups it could change its mind.
  const pinned: LookupFunction = (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) (done as unknown as (error: null, found: object[]) => void)(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family ?? 0)
  }
  const response = await answered(url, { signal: options.signal, pinned })
  const location = response.headers.location
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    ...(location === undefined || !URL.canParse(location, url.href) ? {} : { location: new URL(location, url.href).href }),
    contentType: response.headers['content-type'] ?? '',
    bytes: await bodyOf(response, options.limitBytes, url),
  }
}

async function lookUp(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map((it) => it.address)
  } catch (error) {
    throw new ToolError(`${host} cannot be found: ${(error as Error).message}.`)
  }
}

function answered(url: URL, { signal, pinned }: { signal: AbortSignal; pinned: LookupFunction }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secure : plain
    const headers = { 'user-agent': 'hookline-agent', accept: 'text/markdown, text/html, */*', 'accept-encoding': 'gzip, deflate, br' }
    const request = send(url, { headers, lookup: pinned, agent: false, signal })
    request.once('response', resolve)
    request.once('error', (error) => reject(signal.aborted ? signal.reason : new ToolError(`${url.origin} cannot be reached: ${error.message}.`)))
    request.end()
  })
}

async function bodyOf(response: IncomingMessage, limit: number, url: URL): Promise<Buffer> {
  const encoding = response.headers['content-encoding']
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : encoding === 'br' ? createBrotliDecompress() : undefined
  // The limit counts what comes out of the decoder: a small page may hold a very large one.
  const stream = decoder === undefined ? response : response.on('error', (error) => decoder.destroy(error)).pipe(decoder)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length
      if (size > limit) throw new ToolError(`The page is larger than ${limit / 1024 / 1024} MB.`)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError(`${url.origin} broke off: ${(error as Error).message}.`)
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks)
}
