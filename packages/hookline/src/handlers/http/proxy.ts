/** Which proxy stands between a hook and its endpoint: from policy or from the environment the host started with, never from a project. */

/** Proxy settings, read once at start. */
export interface ProxySettings {
  readonly http?: string
  readonly https?: string
  readonly noProxy: readonly string[]
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; the small spelling comes first, as curl has it. */
export function proxyFromEnvironment(env: Readonly<Record<string, string | undefined>>): ProxySettings {
  const pick = (...names: string[]) => names.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  const http = pick('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY')
  const https = pick('https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY')
  const none = pick('no_proxy', 'NO_PROXY') ?? ''
  return { ...(http === undefined ? {} : { http }), ...(https === undefined ? {} : { https }), noProxy: none.split(/[\s,]+/).filter((entry) => entry !== '') }
}

/** The proxy for a URL; `undefined` when it is reached directly. */
export function proxyFor(url: URL, { http, https, noProxy }: ProxySettings): string | undefined {
  const proxy = url.protocol === 'https:' ? https : http
  if (proxy === undefined) return undefined
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return noProxy.some((entry) => exempts(entry, host, port)) ? undefined : proxy
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [name = '', only] = /:\d+$/.test(entry) && !/:.*:/.test(entry) ? entry.split(':') : [entry]
  if (only !== undefined && only !== port) return false
  const bare = name
    .replace(/^\*?\./, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return host === bare || host.endsWith(`.${bare}`)
}
