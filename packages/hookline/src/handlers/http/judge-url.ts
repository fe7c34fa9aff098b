/** Judges a URL before anything is dialled, and every address it leads to: the guard of HTTP hooks (design decision 9). */
import { isIP } from 'node:net'
import { type AddressKind, isLoopback, kindOfAddress } from './address.ts'

/** Why a URL is refused or let through, as a stable word. */
export type UrlReason =
  | AddressKind
  | 'scheme'
  | 'userinfo'
  | 'control-character'
  | 'blocked-port'
  | 'unresolvable'
  | 'redirect'
  | 'proxy'
  | 'opt-in'
  | 'not-listed'

/** The judgement: whether to go there, why, and which URL it would be. */
export interface UrlJudgement {
  readonly expect: 'allow' | 'deny'
  readonly reason: UrlReason
}

/** What policy says about URLs. */
export interface UrlPolicy {
  /** Exact origins that may lead to addresses which are not public; from user or managed settings only. */
  readonly allowedHttpOrigins?: readonly string[]
  /** URL patterns with `*`; absent: every URL; empty: none. */
  readonly allowedHttpHookUrls?: readonly string[]
}

/** Looks up the addresses of a host name; an empty list when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]> | readonly string[]

// The ports that browsers refuse as well (WHATWG fetch, "bad port"): other protocols answer there.
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137,
  139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

const allow = (reason: UrlReason): UrlJudgement => ({ expect: 'allow', reason })
const deny = (reason: UrlReason): UrlJudgement => ({ expect: 'deny', reason })

/** A URL whose text was judged: what remains is to judge the addresses. */
export interface ReadUrl {
  readonly url: URL
  /** The host without brackets and final dot. */
  readonly host: string
  /** The origin is listed by the user or by policy. */
  readonly optedIn: boolean
}

/** Judges the text of a URL: scheme, user information, control characters, port, allow-list, literal addresses. */
export function readUrl(text: string, policy: UrlPolicy = {}): UrlJudgement | ReadUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The parser drops or encodes most of them, so that what is read is not what is written.
  if (url !== undefined && /[\u0000-\u001f\u007f-\u009f]/.test(text)) return deny('control-character')
  const trimmed = text.trim()
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(trimmed)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && !/^[\w.-]+:\d+(?:[/?#]|$)/.test(trimmed)) return deny('scheme')
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return deny('unparsable')
  if (url.username !== '' || url.password !== '' || /^[^/?#]*:\/*[^/?#\\]*@/.test(trimmed)) return deny('userinfo')
  const port = url.port === '' ? undefined : Number(url.port)
  if (port !== undefined && blockedPorts.has(port)) return deny('blocked-port')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') return deny('unparsable')
  if (policy.allowedHttpHookUrls !== undefined && !policy.allowedHttpHookUrls.some((pattern) => matchesUrl(pattern, url))) return deny('not-listed')
  return { url, host, optedIn: (policy.allowedHttpOrigins ?? []).some((origin) => sameOrigin(origin, url)) }
}

/** Judges one address that a connection would dial. `localhost` must stay on this machine even when opted in. */
export function judgeAddress(read: ReadUrl, address: string): UrlJudgement {
  const kind = kindOfAddress(address)
  if (read.optedIn) return isLocalName(read.host) && !isLoopback(address) ? deny(kind) : allow('opt-in')
  return kind === 'public' ? allow('public') : deny(kind)
}

/** Judges all addresses of a name: one that is refused refuses the name, since any of them may be dialled. */
export function judgeAddresses(read: ReadUrl, addresses: readonly string[]): UrlJudgement {
  if (addresses.length === 0) return deny('unresolvable')
  const judged = addresses.map((address) => judgeAddress(read, address))
  return judged.find((one) => one.expect === 'deny') ?? (judged[0] as UrlJudgement)
}

/** Judges a URL whole: its text, then every address its host has. */
export async function judgeWhole(text: string, policy: UrlPolicy, resolve: Resolve): Promise<UrlJudgement> {
  const read = readUrl(text, policy)
  if ('expect' in read) return read
  if (isIP(read.host) !== 0) return judgeAddress(read, read.host)
  // The name is defined to be this machine, whatever a resolver says.
  if (isLocalName(read.host) && !read.optedIn) return deny('loopback')
  return judgeAddresses(read, await resolve(new URL(text.trim()).hostname))
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function sameOrigin(origin: string, url: URL): boolean {
  return URL.canParse(origin) && new URL(origin).origin === url.origin
}

/** A URL pattern with `*`: in the host it stays within the host; host and scheme compare without case and final dot. */
export function matchesUrl(pattern: string, url: URL): boolean {
  const wanted = split(pattern)
  const given = split(url.href)
  if (wanted === undefined || given === undefined) return pattern === '*'
  return globs(wanted.origin, given.origin) && (globs(wanted.rest, given.rest) || (wanted.rest === '' && given.rest === '/'))
}

function split(text: string): { origin: string; rest: string } | undefined {
  const parts = /^([a-z*]+):\/\/([^/?#]*)(.*)$/is.exec(text)
  if (parts === null) return undefined
  const [, scheme = '', host = '', rest = ''] = parts
  return { origin: `${scheme}://${host.replace(/\.(?=$|:)/, '')}`.toLowerCase(), rest }
}

/** Matches `*` against any text, in time linear in both. */
function globs(pattern: string, text: string): boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] as string
  if (pieces.length === 1) return first === text
  const last = pieces.at(-1) as string
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
