/** Says in words why an endpoint could not be reached, and what to do about it. */

import type { UrlReason } from './judge-url.ts'

/** What went wrong before anything was answered. */
export interface Unreached {
  readonly code: string
  /** The system's own words, for codes that are not known here. */
  readonly message: string
  readonly host: string
  readonly port: string
}

type Words = (unreached: Unreached) => string

const strangeAuthority: Words = ({ host }) =>
  `no authority that this machine knows has signed the certificate of ${host}; name the authority's file in NODE_EXTRA_CA_CERTS when the host is started`
const away: Words = ({ host }) => `there is no way to ${host} from here; check the network`

const words: Readonly<Record<string, Words>> = {
  ENOTFOUND: ({ host }) => `the host ${host} has no address; check how it is spelt`,
  EAI_AGAIN: ({ host }) => `the name server did not say where ${host} is; check the network and try again`,
  ECONNREFUSED: ({ host, port }) => `nothing listens at ${host}, port ${port}; start the endpoint, or correct the port`,
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  ETIMEDOUT: ({ host }) => `${host} did not take the connection; check that it runs and that no firewall stands between`,
  UND_ERR_CONNECT_TIMEOUT: ({ host }) => `${host} did not take the connection within 10 s; check that it runs and that no firewall stands between`,
  EMFILE: () => 'this process has too many files open for another connection; raise the limit on open files',
  ENFILE: () => 'the system has too many files open for another connection',
  DEPTH_ZERO_SELF_SIGNED_CERT: strangeAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: strangeAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: strangeAuthority,
  UNABLE_TO_GET_ISSUER_CERT: strangeAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: strangeAuthority,
  CERT_UNTRUSTED: strangeAuthority,
  CERT_HAS_EXPIRED: ({ host }) => `the certificate of ${host} has expired; renew it there`,
  CERT_NOT_YET_VALID: ({ host }) => `the certificate of ${host} is not valid yet; check the clock of this machine`,
  CERT_REVOKED: ({ host }) => `the certificate of ${host} was revoked; get another one there`,
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) => `the certificate is for another host than ${host}; write the name that it is for`,
  ERR_SSL_WRONG_VERSION_NUMBER: ({ host, port }) => `${host} does not speak https at port ${port}; write http, or the port of https`,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ({ host, port }) => `${host} does not speak https at port ${port}; write http, or the port of https`,
}

/** True for what happens before a request is answered: the endpoint was not reached. */
export function isUnreached(code: string): boolean {
  return Object.hasOwn(words, code)
}

/** One sentence that starts with the code. */
export function explainUnreached(unreached: Unreached): string {
  const { code, message } = unreached
  const say = Object.hasOwn(words, code) ? words[code] : undefined
  if (say !== undefined) return `${code}: ${say(unreached)}`
  return code === '' || message.includes(code) ? message : `${code}: ${message}`
}

const next: Partial<Record<UrlReason, string>> = {
  scheme: 'write an http or https URL',
  unparsable: 'write an absolute http or https URL',
  userinfo: 'send a header in place of a user name and password',
  'control-character': 'take the control characters out',
  'blocked-port': 'other protocols answer on this port; use another one',
  unresolvable: 'check how its host is spelt',
  'not-listed': '"allowedHttpHookUrls" of some settings does not list it',
}

/** Why a URL is refused, and what to do: in one clause, for a URL that may be shown. */
export function explainRefusal(url: string, reason: UrlReason): string {
  return `the URL ${url} is refused (${reason}); ${next[reason] ?? 'if it is meant, list its origin in "allowedHttpOrigins" of your user settings'}`
}
