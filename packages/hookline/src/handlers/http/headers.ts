/** The headers of an HTTP hook: variables only from the allow-lists, nothing that could split a request. */
import type { HandlerSpec } from '../../protocol/handler-spec.ts'

/** What the headers are filled from. */
export interface HeaderSource {
  /** The environment that the host started with. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The outer limit for variables, from policy; absent: only the hook's own list counts. */
  readonly allowedEnvVars?: readonly string[]
}

type HttpSpec = Extract<HandlerSpec, { type: 'http' }>

// Framing and routing belong to the client: a hook that sets them could smuggle a second request or reach another host.
const ours = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
])

/** Some header has a variable in it. */
export function hasVariables(spec: HttpSpec): boolean {
  return Object.values(spec.headers ?? {}).some((value) => String(value).includes('$'))
}

/** The request's headers, names and values in turn, or why they cannot be sent. */
export function fillHeaders(spec: HttpSpec, source: HeaderSource): readonly string[] | { readonly fault: string } {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['accept', 'application/json'],
  ])
  for (const [name, value] of Object.entries(spec.headers ?? {})) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return { fault: `the header name ${JSON.stringify(name)} is not valid` }
    const key = name.toLowerCase()
    if (ours.has(key)) continue
    const filled = interpolate(String(value), spec.allowedEnvVars ?? [], source).trim()
    // Line breaks and NUL would end the header and begin something of their own, and of a wide character the low byte could be one. Taking
    // them out would send a credential that nobody meant to send.
    if (!/^[\t\u0020-\u007e]*$/.test(filled)) return { fault: faultOf(key) }
    headers.set(key, filled)
  }
  // The id of the call is ours to give.
  headers.delete('x-hookline-call-id')
  return [...headers].flat()
}

/** Replaces `$NAME` and `${NAME}` by the variable when both lists allow it, and by nothing otherwise (protocol §2.3). */
function interpolate(text: string, own: readonly string[], { env, allowedEnvVars }: HeaderSource): string {
  return text.replace(/\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? ''
    const allowed = own.includes(name) && (allowedEnvVars === undefined || allowedEnvVars.includes(name))
    return allowed && Object.hasOwn(env, name) ? (env[name] ?? '') : ''
  })
}

/** Never the value: it may be a credential. */
function faultOf(name: string): string {
  return `the header ${JSON.stringify(name)} holds a line break, another control character or one outside of ASCII, so nothing was sent; look at the variables in it`
}
