/** The `http` handler: one POST with the input as JSON, to an address the guard let through; redirects are not followed. */
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import type { HandlerSpec } from '../../protocol/handler-spec.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../protocol/runner.ts'
import { type BodyRead, bodyLimit, readBody } from './body.ts'
import { type LookUpAll, lookUpAll, RefusedAddress } from './connector.ts'
import { explainRefusal, explainUnreached, isUnreached } from './failure-words.ts'
import { fillHeaders } from './headers.ts'
import { judgeWhole, type ReadUrl, readUrl, type UrlJudgement, type UrlPolicy, type UrlReason } from './judge-url.ts'
import { Pools } from './pools.ts'
import { proxyFromEnvironment } from './proxy.ts'

/** What policy says about HTTP hooks; asked at each call, since a reload may change it. */
export interface HttpPolicy extends UrlPolicy {
  readonly httpHookAllowedEnvVars?: readonly string[]
}

/** What the handler needs from its host. */
export interface HttpHandlerOptions {
  readonly policy?: () => HttpPolicy
  /** The environment the host started with: header variables, proxies, `HOOKLINE_HTTP_ORIGINS`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly lookUp?: LookUpAll
}

type HttpSpec = Extract<HandlerSpec, { type: 'http' }>

/** Creates the handler of `http` hooks. */
export function createHttpHandler(options: HttpHandlerOptions = {}): HandlerRunner {
  const env = options.env ?? {}
  const pools = new Pools({ proxies: proxyFromEnvironment(env), ...(options.lookUp === undefined ? {} : { lookUp: options.lookUp }) })
  const ownOrigins = (env['HOOKLINE_HTTP_ORIGINS'] ?? '').split(/[\s,]+/).filter((origin) => origin !== '')
  const noPolicy: HttpPolicy = {}
  // A hook stays the same object, and so does a policy, until the settings are read anew.
  const known = new WeakMap<HttpSpec, { readonly policy: HttpPolicy; readonly read: UrlJudgement | ReadUrl }>()
  const reading = (spec: HttpSpec, policy: HttpPolicy): UrlJudgement | ReadUrl => {
    const last = known.get(spec)
    if (last?.policy === policy) return last.read
    const read = readUrl(spec.url, { ...policy, allowedHttpOrigins: [...(policy.allowedHttpOrigins ?? []), ...ownOrigins] })
    known.set(spec, { policy, read })
    return read
  }
  return {
    type: 'http',
    readsPayload: true,
    async run(hook: RunnableHook, context: RunContext): Promise<RawResult> {
      const spec = hook.spec as HttpSpec
      const policy = options.policy?.() ?? noPolicy
      const read = reading(spec, policy)
      if ('expect' in read) return refused(spec.url, read.reason)
      const headers = fillHeaders(spec, { env, ...(policy.httpHookAllowedEnvVars === undefined ? {} : { allowedEnvVars: policy.httpHookAllowedEnvVars }) })
      if ('fault' in headers) return { ending: { kind: 'refused', why: headers.fault as string } }
      headers['x-hookline-call-id'] = context.callId
      if (pools.proxyOf(read) !== undefined) {
        // The proxy dials for us, so the host is judged here, before it hears of it.
        const judged = await judgeWhole(spec.url, policy, (host) => (options.lookUp ?? lookUpAll)(host).catch(() => []))
        if (judged.expect === 'deny') return refused(spec.url, judged.reason)
      }
      return exchange({ pools, read, headers, context })
    },
    close: () => pools.close(),
  }
}

interface Exchange {
  readonly pools: Pools
  readonly read: ReadUrl
  readonly headers: Record<string, string>
  readonly context: RunContext
}

// A pool may hold a few kept connections, each of which can turn out to be closed.
const mostTries = 3

async function exchange(request: Exchange, tries = 1): Promise<RawResult> {
  const { pools, read, headers, context } = request
  const { timeoutMs, signal } = context
  if (signal.aborted) return { ending: { kind: 'aborted' } }
  let stopped: RawResult['ending'] | undefined
  // The client takes an emitter as well as a signal, which would cost more than the rest of this.
  const stop = new EventEmitter()
  const end = (ending: RawResult['ending']) => {
    stopped ??= ending
    stop.emit('abort')
  }
  const timer = setTimeout(() => end({ kind: 'timedOut', afterMs: timeoutMs }), Math.min(timeoutMs, 2_147_483_647))
  const abort = () => end({ kind: 'aborted' })
  signal.addEventListener('abort', abort, { once: true })
  try {
    const reply = await pools.of(read).request({
      origin: read.url.origin,
      path: read.url.pathname + read.url.search,
      method: 'POST',
      headers,
      body: context.payload as Buffer,
      signal: stop,
      // The deadline above is for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return await readReply(reply.statusCode, reply.body, reply.headers)
  } catch (error) {
    if (stopped !== undefined) return { ending: stopped }
    if (tries < mostTries && isStale(error)) return await exchange(request, tries + 1)
    return { ending: failure(error, read) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function readReply(status: number, body: Readable, headers: Record<string, string | string[] | undefined>): Promise<RawResult> {
  if (status < 200 || status > 299) {
    body.on('error', () => {}).destroy()
    return { ending: { kind: 'replied', status } }
  }
  const read: BodyRead = await readBody(body, String(headers['content-encoding'] ?? ''))
  if (read.kind === 'overflowed') return { ending: { kind: 'overflowed', stream: 'body', limit: bodyLimit } }
  if (read.kind === 'broken') throw new Error(`the reply broke off or cannot be decoded: ${read.why}`)
  return { ending: { kind: 'replied', status }, stdout: read.text, ...(read.notUtf8 ? { notUtf8: true as const } : {}) }
}

function refused(url: string, reason: UrlReason): RawResult {
  return { ending: { kind: 'refused', why: explainRefusal(shown(url), reason) } }
}

function failure(error: unknown, read: ReadUrl): RawResult['ending'] {
  const cause = rootOf(error)
  if (cause instanceof RefusedAddress) return { kind: 'refused', why: explainRefusal(shown(read.url.href), cause.reason) }
  const { code = '', syscall } = cause as NodeJS.ErrnoException
  const { port, protocol } = read.url
  const text = explainUnreached({ code, message: cause.message, host: read.host, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port })
  return isUnreached(code) || syscall === 'connect' ? { kind: 'unspawnable', why: text } : { kind: 'threw', error: text }
}

function rootOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0])
  if (error instanceof Error && error.cause instanceof Error) return rootOf(error.cause)
  return error instanceof Error ? error : new Error(String(error))
}

/** A kept connection that the server closed while we were writing: the endpoint has not read this call, or knows it by its id. */
function isStale(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } }
  return (code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0) || code === 'ECONNRESET'
}

/** A URL as a message may show it: no query, no fragment, no secret in user information. */
function shown(url: string): string {
  const bare = url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//…@')
  return JSON.stringify(bare.length > 120 ? `${bare.slice(0, 120)}…` : bare)
}
