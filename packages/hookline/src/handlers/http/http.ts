/** The `http` handler: one POST with the input as JSON, to an address the guard let through; redirects are not followed. */
import { Deadlines } from '../../protocol/deadlines.ts'
import type { Ending } from '../../protocol/ending.ts'
import type { HandlerSpec } from '../../protocol/handler-spec.ts'
import type { HandlerRunner, RawResult, RunContext, RunnableHook } from '../../protocol/runner.ts'
import { type LookUpAll, lookUpAll } from './connector.ts'
import { exchange } from './exchange.ts'
import { refusal } from './failure.ts'
import { fillHeaders, hasVariables } from './headers.ts'
import { judgeWhole, type ReadUrl, readUrl, type UrlPolicy } from './judge-url.ts'
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

/** A hook as far as it can be read before a call. */
interface Prepared {
  readonly policy: HttpPolicy
  /** Absent: the URL is refused, and `ending` says why. */
  readonly read?: ReadUrl
  readonly ending?: Ending
  /** Absent: they hold variables, and are filled at each call. */
  readonly headers?: readonly string[]
}

/** Creates the handler of `http` hooks. */
export function createHttpHandler(options: HttpHandlerOptions = {}): HandlerRunner {
  const env = options.env ?? {}
  const { lookUp = lookUpAll } = options
  const pools = new Pools({ proxies: proxyFromEnvironment(env), lookUp })
  const ownOrigins = (env['HOOKLINE_HTTP_ORIGINS'] ?? '').split(/[\s,]+/).filter((origin) => origin !== '')
  const noPolicy: HttpPolicy = {}
  const deadlines = new Deadlines()
  // A hook stays the same object, and so does a policy, until the settings are read anew.
  const known = new WeakMap<HttpSpec, Prepared>()

  const headersOf = (spec: HttpSpec, { httpHookAllowedEnvVars: allowedEnvVars }: HttpPolicy): readonly string[] | { readonly fault: string } =>
    fillHeaders(spec, { env, ...(allowedEnvVars === undefined ? {} : { allowedEnvVars }) })

  const prepare = (spec: HttpSpec, policy: HttpPolicy): Prepared => {
    const read = readUrl(spec.url, { ...policy, allowedHttpOrigins: [...(policy.allowedHttpOrigins ?? []), ...ownOrigins] })
    if ('expect' in read) return { policy, ending: refusal(spec.url, read.reason) }
    if (hasVariables(spec)) return { policy, read }
    const headers = headersOf(spec, policy)
    return 'fault' in headers ? { policy, ending: { kind: 'refused', why: headers.fault } } : { policy, read, headers }
  }

  const preparedOf = (spec: HttpSpec): Prepared => {
    const policy = options.policy?.() ?? noPolicy
    const last = known.get(spec)
    if (last?.policy === policy) return last
    const prepared = prepare(spec, policy)
    known.set(spec, prepared)
    return prepared
  }

  const send = (read: ReadUrl, headers: readonly string[], context: RunContext) =>
    exchange({ dispatcher: pools.of(read), read, headers: [...headers, 'x-hookline-call-id', context.callId], context, deadlines })

  /** The proxy dials for us, so the host is judged here, before it hears of it. */
  const sendByProxy = async (
    spec: HttpSpec,
    { policy, read }: { policy: HttpPolicy; read: ReadUrl },
    more: { headers: readonly string[]; context: RunContext },
  ) => {
    const judged = await judgeWhole(spec.url, policy, (host) => lookUp(host).catch(() => []))
    return judged.expect === 'deny' ? { ending: refusal(spec.url, judged.reason) } : send(read, more.headers, more.context)
  }

  return {
    type: 'http',
    readsPayload: true,
    run(hook: RunnableHook, context: RunContext): RawResult | PromiseLike<RawResult> {
      const spec = hook.spec as HttpSpec
      const { policy, read, ending, headers: ready } = preparedOf(spec)
      if (read === undefined) return { ending: ending as Ending }
      const headers = ready ?? headersOf(spec, policy)
      if ('fault' in headers) return { ending: { kind: 'refused', why: headers.fault } }
      return pools.proxyOf(read) === undefined ? send(read, headers, context) : sendByProxy(spec, { policy, read }, { headers, context })
    },
    close: () => pools.close(),
  }
}
