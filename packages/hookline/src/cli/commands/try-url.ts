/** `hookline try url`: whether an HTTP hook may go to a URL; nothing is looked up or dialled. */
import { judgeUrl, type UrlCircumstances } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { answerLines } from './batch.ts'

/** Options of `try url`. */
export interface TryUrlOptions extends GlobalOptions {
  batch?: true
  /** Addresses that the host is taken to have. */
  dns?: string[]
  /** Origins that user settings are taken to list in `allowedHttpOrigins`. */
  origin?: string[]
}
type UrlAnswer = Awaited<ReturnType<typeof judgeUrl>>
type Line = Readonly<Record<string, unknown>>

/** Gives 1 when the URL is refused. @throws Failure. */
export async function tryUrl([url]: readonly (string | undefined)[], options: TryUrlOptions, { terminal }: CommandContext): Promise<Exit> {
  if (options.batch) return await answerLines(process.stdin, terminal, answer)
  if (url === undefined) throw new Failure('missing-argument', 'try url needs a URL.', { hint: 'For example: hookline try url http://localhost:8080/hook' })
  const { dns, origin = [] } = options
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const found = await answer({ url, policy: { allowedHttpOrigins: origin }, ...(dns === undefined ? {} : { dns: { [host]: dns } }) })
  terminal.show(found, () => words(found))
  return found.expect === 'allow' ? exits.goOn : exits.findings
}

async function answer(line: Line): Promise<UrlAnswer> {
  const { url, policy, dns, dnsSequence, redirects, projectEnv } = line
  if (typeof url !== 'string') throw new Failure('missing-url', '"url" must be a text.')
  const circumstances: UrlCircumstances = {
    ...policyOf(policy),
    ...(dns === undefined ? {} : { dns: mapOf(dns, { name: 'dns', holds: 'lists of addresses', fits: isTexts }) }),
    ...(dnsSequence === undefined ? {} : { dnsSequence: listOf(dnsSequence, { name: 'dnsSequence', holds: 'lists of addresses', fits: isTexts }) }),
    ...(redirects === undefined ? {} : { redirects: listOf(redirects, { name: 'redirects', holds: 'texts', fits: isText }) }),
    ...(projectEnv === undefined ? {} : { projectEnv: mapOf(projectEnv, { name: 'projectEnv', holds: 'texts', fits: isText }) }),
  }
  return await judgeUrl(url, circumstances)
}

/** The name of a profile, or the policy's own keys. */
function policyOf(policy: unknown): UrlCircumstances {
  if (policy === undefined) return {}
  if (policy === 'default' || policy === 'loopback-optin') return { profile: policy }
  if (!isObject(policy)) throw new Failure('invalid-option', '"policy" must be an object, or one of "default" and "loopback-optin".')
  const { allowedHttpOrigins, allowedHttpHookUrls } = policy
  const texts = { holds: 'texts', fits: isText }
  return {
    ...(allowedHttpOrigins === undefined ? {} : { allowedHttpOrigins: listOf(allowedHttpOrigins, { name: 'allowedHttpOrigins', ...texts }) }),
    ...(allowedHttpHookUrls === undefined ? {} : { allowedHttpHookUrls: listOf(allowedHttpHookUrls, { name: 'allowedHttpHookUrls', ...texts }) }),
  }
}

interface Shape<T> {
  readonly name: string
  readonly holds: string
  readonly fits: (value: unknown) => value is T
}

function listOf<T>(value: unknown, { name, holds, fits }: Shape<T>): readonly T[] {
  if (!Array.isArray(value) || !value.every(fits)) throw new Failure('invalid-option', `"${name}" must be a list of ${holds}.`)
  return value
}

function mapOf<T>(value: unknown, { name, holds, fits }: Shape<T>): Readonly<Record<string, T>> {
  if (!isObject(value) || !Object.values(value).every(fits)) throw new Failure('invalid-option', `"${name}" must be an object of ${holds}.`)
  return value as Record<string, T>
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText)
}

const why: Partial<Record<UrlAnswer['reason'], string>> = {
  public: 'its address is public',
  'opt-in': 'allowedHttpOrigins lists its origin',
  scheme: 'only http and https are spoken',
  userinfo: 'it holds a user name or password; send a header instead',
  'control-character': 'it holds control characters',
  'blocked-port': 'other protocols answer on this port',
  unparsable: 'it is no absolute URL',
  'not-listed': 'allowedHttpHookUrls does not list it',
  unresolvable: 'names are not looked up here; say what the host would answer with --dns ADDRESS',
  redirect: 'redirects are not followed; write the final URL',
  proxy: 'a project may not set a proxy',
}

function words({ expect, reason }: UrlAnswer): string {
  const text = why[reason] ?? `its address is not public; if it is meant, list its exact origin in "allowedHttpOrigins" of your user settings`
  return `${expect} (${reason}): ${text}`
}
