/** What a provider's failure means: an HTTP status, a broken stream or a dead address as a `ModelError` that says who, what and what next. */
import { ModelError, type ModelErrorKind } from './port.ts'

/** Who was asked; `secrets` are taken out of every text. */
export interface Asked {
  provider: string
  model: string
  /** Host and port, for messages about connections. */
  address: string
  /** Environment variable that holds the key. */
  keyName: string
  secrets: readonly string[]
}

/** A failure, and whether asking again may help. */
export interface Failure {
  error: ModelError
  /** `soon`: with back-off; `briefly`: one or two more times; absent: never. */
  again?: 'soon' | 'briefly'
  /** What the provider asks to wait, in ms. */
  afterMs?: number
}

/** Reads whatever the SDK threw or put into its stream. */
export function failureOf(thrown: unknown, asked: Asked): Failure {
  if (thrown instanceof ModelError) return { error: thrown }
  const facts = factsOf(thrown)
  const detail = hideSecrets(facts.message, asked.secrets)
  const afterMs = waitOf(facts.headers)
  const failure = judge(facts.status, { type: facts.type, detail, code: facts.code, malformed: facts.malformed }, asked)
  return afterMs === undefined ? failure : { ...failure, afterMs }
}

/** Something else stands where a stream of an answer should: a page of a login or a proxy, mostly because the base URL leads elsewhere. */
export function noStream(contentType: string, asked: Asked): Failure {
  const what = /html/i.test(contentType) ? 'an HTML page' : contentType
  const detail = `${what} in the place of a stream`
  const message = `${asked.provider} (${asked.model}) answered with ${detail}.`
  const hint = `Check the base URL: what answers at ${asked.address} is no API of ${asked.provider}, but perhaps a website, a login or a proxy.`
  return { error: new ModelError('server_error', message, { hint, detail }), again: 'briefly' }
}

/** The stream ended in the middle of an answer. */
export function cutOff(asked: Asked, detail = 'the stream ended early'): Failure {
  const message = `${asked.provider} (${asked.model}) broke off in the middle of an answer: ${detail}.`
  return { error: new ModelError('server_error', message, { hint: 'Ask again; what was done so far is kept.', detail }), again: 'soon' }
}

interface Said {
  type: string
  detail: string
  code: string
  /** It spoke, but not the protocol. */
  malformed: boolean
}

const keyHint = (asked: Asked) => `Check ${asked.keyName}: it must hold a valid key for ${asked.address}.`

// One row per kind of failure, first match wins.
function judge(status: number | undefined, said: Said, asked: Asked): Failure {
  const who = `${asked.provider} (${asked.model})`
  const words = `${status === undefined ? '' : `${status} `}${said.detail}`.trim()
  const fail = (kind: ModelErrorKind, message: string, hint?: string): ModelError =>
    new ModelError(kind, message, { detail: said.detail, ...(hint === undefined ? {} : { hint }), ...(status === undefined ? {} : { status }) })

  if (said.malformed || /JSON parsing failed|type validation failed/i.test(said.detail)) {
    const message = `${who} answered with something that is no answer: ${said.detail}`
    return { error: fail('server_error', message, `Does ${asked.address} speak the protocol of ${asked.provider}? Check the base URL.`), again: 'briefly' }
  }
  if (status === undefined && unreachable.test(`${said.code} ${said.detail}`)) {
    const message = `${asked.provider} cannot be reached at ${asked.address}: ${said.detail}.`
    return { error: fail('server_error', message, 'Check the network, the proxy and the base URL in the environment.'), again: 'briefly' }
  }
  if (status === undefined && lost.test(`${said.code} ${said.detail}`)) return cutOff(asked, said.detail)
  if (/credit balance|insufficient_quota|billing|payment/i.test(`${said.type} ${said.code} ${said.detail}`) || status === 402)
    return { error: fail('billing_error', `${who} refuses to go on for a reason of billing: ${words}`, 'Check the plan and the balance of the account.') }
  const account = status === 400 || status === 401 || status === 403 ? accountTrouble.find(([pattern]) => pattern.test(said.detail)) : undefined
  if (account !== undefined) return { error: fail(account[1], `${asked.provider} refuses this account: ${words}`, account[2]) }
  if (status === 401 || said.type === 'authentication_error' || /api key (not valid|expired|not found)|invalid api key/i.test(said.detail))
    return { error: fail('authentication_failed', `${asked.provider} does not accept the key: ${words}`, keyHint(asked)) }
  if (status === 403 || said.type === 'permission_error')
    return {
      error: fail(
        'authentication_failed',
        `${asked.provider} does not allow this: ${words}`,
        `The key may lack the right to use ${asked.model}. ${keyHint(asked)}`,
      ),
    }
  if (status === 404 || said.code === 'model_not_found')
    return {
      error: fail(
        'model_not_found',
        `${asked.provider} does not know the model "${asked.model}": ${words}`,
        `Name another with --model; the address asked was ${asked.address}.`,
      ),
    }
  if (status === 529 || said.type === 'overloaded_error' || (status === 503 && /overloaded|high demand/i.test(said.detail)))
    return { error: fail('overloaded', `${who} is overloaded: ${words}`, 'Try again in a few minutes, or name another model with --model.'), again: 'soon' }
  if (status === 429 || said.type === 'rate_limit_error')
    return { error: fail('rate_limit', `${who} limits the rate of requests: ${words}`, 'Wait a little, then ask again.'), again: 'soon' }
  if ((status !== undefined && status >= 500) || status === 408 || status === 409 || (status === undefined && said.type === 'api_error'))
    return { error: fail('server_error', `${who} failed: ${words}`, 'The fault is on the side of the provider; try again.'), again: 'soon' }
  if (status === 413 || tooLong.test(`${said.code} ${said.detail}`)) {
    const options = { hint: 'It grew too long: /compact makes it shorter, /clear begins anew.', tooLong: true as const, detail: said.detail }
    const message = `${who} does not take this request: ${words}`
    return { error: new ModelError('invalid_request', message, { ...options, ...(status === undefined ? {} : { status }) }) }
  }
  if (status === 422) return { error: fail('invalid_request', `${who} does not take this request: ${words}`) }
  if (status === 400 && /\b(image|pdf|document|media type|mime type|vision)s?\b|image_url|inline_?data/i.test(said.detail))
    return { error: new ModelError('unknown', `${who} does not take this request: ${words}`, { detail: said.detail, status, badMedia: true }) }
  if (status !== undefined && status >= 400) return { error: fail('unknown', `${who} does not take this request: ${words}`) }
  return { error: fail('unknown', `${who} failed: ${words}`) }
}

// The key is right, and the account behind it may not.
const accountTrouble: readonly [RegExp, ModelErrorKind, string][] = [
  [/oauth\b.*\bnot allowed\b.*\borgani[sz]ation/i, 'oauth_org_not_allowed', 'Use an API key, or ask who administers the organisation.'],
  [/\b(account|organi[sz]ation)\b.*\b(on hold|suspended|disabled|deactivated)\b/i, 'account_on_hold', 'Look at the account, or write to the provider.'],
  [
    /\b(must be verified|verify your (organi[sz]ation|account|identity)|verification (is )?required)\b/i,
    'verification_required',
    'Verify the account with the provider.',
  ],
]
// In the words of Anthropic, OpenAI, Google, llama.cpp and Ollama.
const tooLong =
  /(prompt|input|request|messages?) (is|are) too (long|large)|too many (input )?tokens|context_length_exceeded|maximum context|context (length|window|size)|input token count|exceeds the maximum number of tokens/i
const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CERT_|SELF_SIGNED|EPROTO|cannot connect/i
const lost = /ECONNRESET|ETIMEDOUT|EPIPE|UND_ERR|terminated|socket hang up|other side closed|fetch failed|ended without a finish/i

interface Facts {
  status?: number
  type: string
  code: string
  malformed: boolean
  message: string
  headers: Record<string, string>
}

/** The SDK's call error, an `error` event of a stream (object or text), or any error with causes. */
function factsOf(thrown: unknown): Facts {
  const facts: Facts = { type: '', code: '', malformed: false, message: '', headers: {} }
  let at: unknown = thrown
  for (let depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth++) {
    const it = at as Record<string, unknown>
    // A 200 says nothing about a failure that came later.
    if (facts.status === undefined && typeof it['statusCode'] === 'number' && it['statusCode'] >= 400) facts.status = it['statusCode']
    if (typeof it['responseHeaders'] === 'object' && it['responseHeaders'] !== null) facts.headers = it['responseHeaders'] as Record<string, string>
    if (/^(AI_JSONParseError|AI_TypeValidationError|SyntaxError)$/.test(String(it['name']))) facts.malformed = true
    // The innermost code and words are the ones that say something: "fetch failed" has "connect ECONNREFUSED …" as its cause.
    if (typeof it['code'] === 'string') facts.code = it['code']
    if (typeof it['type'] === 'string' && it['type'] !== 'error') facts.type = it['type']
    if (typeof it['message'] === 'string' && it['message'] !== '') facts.message = it['message']
    const body = typeof it['responseBody'] === 'string' ? readBody(it['responseBody']) : undefined
    if (body !== undefined) Object.assign(facts, body)
    at = it['cause'] ?? it['error'] ?? it['lastError']
  }
  if (facts.message === '') facts.message = typeof thrown === 'string' ? thrown : 'no reason was given'
  facts.message = facts.message.replace(/\s+/g, ' ').trim().slice(0, 500)
  return facts
}

/** `{error: {type, code, message}}` of Anthropic, OpenAI and Google, `{error: "text"}` of Ollama. */
function readBody(text: string): Partial<Facts> | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    if (typeof error === 'string') return { message: error }
    if (typeof error !== 'object' || error === null) return undefined
    const { type, code, message, status } = error as Record<string, unknown>
    return {
      ...(typeof type === 'string' ? { type } : typeof status === 'string' ? { type: status } : {}),
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof message === 'string' && message !== '' ? { message } : {}),
    }
  } catch {
    return undefined
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitOf(headers: Record<string, string>): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return ms
  const after = headers['retry-after']
  if (after === undefined) return undefined
  const seconds = Number(after)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(after)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** Takes out the keys that we hold, whole, and whatever else looks like one: providers like to quote them. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[key]')
  return clean
    .replace(/\b(sk|pk|key|AIza|gsk|xai)[-_][\w*.-]{8,}/g, '[key]')
    .replace(/\bAIza[\w*-]{10,}/g, '[key]')
    .replace(/Bearer\s+\S+/gi, 'Bearer [key]')
}
