/** Keeps one connection pool per origin, so that a hook's second call finds its connection open. */
import { type Dispatcher, Pool, ProxyAgent } from 'undici'
import { guardedConnector, type LookUpAll } from './connector.ts'
import type { ReadUrl } from './judge-url.ts'
import { type ProxySettings, proxyFor } from './proxy.ts'

/** How the pools connect. */
export interface PoolOptions {
  readonly proxies: ProxySettings
  readonly lookUp: LookUpAll
}

const connectTimeoutMs = 10_000
const mostPools = 64

/** The pools of one handler. */
export class Pools {
  readonly #options: PoolOptions
  readonly #byOrigin = new Map<string, Dispatcher>()

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** The proxy that a URL is reached through. */
  proxyOf(read: ReadUrl): string | undefined {
    // An origin of this machine that the user listed is never sent to a proxy elsewhere.
    return read.optedIn ? undefined : proxyFor(read.url, this.#options.proxies)
  }

  /** The pool of a judged URL. An opted-in origin has another than the same origin judged strictly. */
  of(read: ReadUrl): Dispatcher {
    const proxy = this.proxyOf(read)
    const key = `${read.optedIn ? 'opted-in ' : ''}${proxy ?? ''} ${read.url.origin}`
    const known = this.#byOrigin.get(key)
    if (known !== undefined) return known
    const made =
      proxy === undefined ? this.#direct(read) : new ProxyAgent({ uri: proxy, proxyTunnel: read.url.protocol === 'https:', connectTimeout: connectTimeoutMs })
    if (this.#byOrigin.size >= mostPools) this.#dropOldest()
    this.#byOrigin.set(key, made)
    return made
  }

  async close(): Promise<void> {
    const all = [...this.#byOrigin.values()]
    this.#byOrigin.clear()
    await Promise.all(all.map((pool) => pool.destroy()))
  }

  #direct(read: ReadUrl): Pool {
    const connect = guardedConnector(read, { timeoutMs: connectTimeoutMs, lookUp: this.#options.lookUp })
    return new Pool(read.url.origin, { connect, keepAliveTimeout: 30_000, maxHeaderSize: 16_384, pipelining: 1 })
  }

  #dropOldest(): void {
    const oldest = this.#byOrigin.entries().next().value
    if (oldest === undefined) return
    this.#byOrigin.delete(oldest[0])
    // Calls in flight finish; a pool that fails to close has nothing left to lose.
    oldest[1].close().catch(() => undefined)
  }
}
