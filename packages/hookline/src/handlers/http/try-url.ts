/** Judges a URL with given look-ups and settings instead of the network's: what `hookline try url` and policy tests ask. */
import { judgeWhole, type UrlJudgement, type UrlPolicy } from './judge-url.ts'

/** The circumstances of a judgement; nothing is looked up, dialled or read from the environment. */
export interface UrlCircumstances extends UrlPolicy {
  /** `loopback-optin` lists port 8080 of this machine, as the examples of the documentation do. */
  readonly profile?: 'default' | 'loopback-optin'
  /** Addresses by host name. */
  readonly dns?: Readonly<Record<string, readonly string[]>>
  /** What the first, second, … look-up of the host answers. */
  readonly dnsSequence?: readonly (readonly string[])[]
  /** Where the server would redirect to, in order; an HTTP hook follows none. */
  readonly redirects?: readonly string[]
  /** What a project's `env` block tries to set. */
  readonly projectEnv?: Readonly<Record<string, string>>
}

const optIn = ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']

/** Whether an HTTP hook may go to this URL, and the stable word for why. */
export async function judgeUrl(url: string, circumstances: UrlCircumstances = {}): Promise<UrlJudgement> {
  const { dns = {}, dnsSequence, redirects = [], projectEnv = {}, profile } = circumstances
  const policy: UrlPolicy = {
    ...(circumstances.allowedHttpHookUrls === undefined ? {} : { allowedHttpHookUrls: circumstances.allowedHttpHookUrls }),
    allowedHttpOrigins: [...(circumstances.allowedHttpOrigins ?? []), ...(profile === 'loopback-optin' ? optIn : [])],
  }
  for (const answers of dnsSequence ?? [undefined]) {
    const judged = await judgeWhole(url, policy, (host) => answers ?? lookUp(dns, host))
    if (judged.expect === 'deny') return judged
    if (answers === undefined || answers === dnsSequence?.at(-1)) {
      if (redirects.length > 0) return { expect: 'deny', reason: 'redirect' }
      return Object.keys(projectEnv).some(isProxyName) ? { expect: 'deny', reason: 'proxy' } : judged
    }
  }
  return { expect: 'deny', reason: 'unresolvable' }
}

/** Whether a variable of this name would put a proxy between a hook and its endpoint. */
export function isProxyName(name: string): boolean {
  return /^(?:https?|all)_proxy$/i.test(name)
}

function lookUp(dns: Readonly<Record<string, readonly string[]>>, host: string): readonly string[] {
  const bare = host.replace(/\.$/, '')
  for (const name of [host, bare, `${bare}.`]) if (Object.hasOwn(dns, name)) return dns[name] as readonly string[]
  return []
}
