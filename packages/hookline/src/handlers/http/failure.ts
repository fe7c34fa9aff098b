/** What an error of the client means for the hook: refused by the guard, not reached, or broken off. */
import type { Ending } from '../../protocol/ending.ts'
import { RefusedAddress } from './connector.ts'
import { explainRefusal, explainUnreached, isUnreached } from './failure-words.ts'
import type { ReadUrl, UrlReason } from './judge-url.ts'

/** How a call to this URL ended with an error. */
export function failureOf(error: unknown, read: ReadUrl): Ending {
  const cause = rootOf(error)
  if (cause instanceof RefusedAddress) return refusal(read.url.href, cause.reason)
  const { code = '', syscall } = cause as NodeJS.ErrnoException
  const { port, protocol } = read.url
  const text = explainUnreached({ code, message: cause.message, host: read.host, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port })
  return isUnreached(code) || syscall === 'connect' ? { kind: 'unspawnable', why: text } : { kind: 'threw', error: text }
}

/** The guard did not let the URL through. */
export function refusal(url: string, reason: UrlReason): Ending {
  return { kind: 'refused', why: explainRefusal(shown(url), reason) }
}

/** A kept connection that the server closed while we were writing: the endpoint has not read this call, or knows it by its id. */
export function isStale(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } }
  return (code === 'UND_ERR_SOCKET' && (socket?.bytesRead ?? 0) > 0) || code === 'ECONNRESET'
}

function rootOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootOf(error.errors[0])
  if (error instanceof Error && error.cause instanceof Error) return rootOf(error.cause)
  return error instanceof Error ? error : new Error(String(error))
}

/** A URL as a message may show it: no query, no fragment, no secret in user information. */
function shown(url: string): string {
  const bare = url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//…@')
  return JSON.stringify(bare.length > 120 ? `${bare.slice(0, 120)}…` : bare)
}
