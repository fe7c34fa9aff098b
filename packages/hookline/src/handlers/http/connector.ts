/** Opens connections for HTTP hooks: judges the address that is really dialled, so that no second look-up can slip in another. */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { judgeAddress, judgeAddresses, type ReadUrl, type UrlReason } from './judge-url.ts'

/** A connection that the guard did not open. `reason` is the stable word of the judgement. */
export class RefusedAddress extends Error {
  readonly code = 'HOOKLINE_REFUSED'
  readonly reason: UrlReason

  constructor(host: string, reason: UrlReason) {
    super(`${host} is refused (${reason})`)
    this.reason = reason
  }
}

/** Looks up all addresses of a host; the system's resolver unless a host brings its own. */
export type LookUpAll = (host: string) => Promise<readonly string[]>

/** The system's resolver. */
export const lookUpAll: LookUpAll = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses.map((one) => one.address)) : reject(error)))
  })

/** A connector for one judged URL's origin. Every address the name has must pass; the connection goes to those only. */
export function guardedConnector(read: ReadUrl, { lookUp, timeoutMs }: { lookUp: LookUpAll; timeoutMs: number }): buildConnector.connector {
  const lookup: LookupFunction = (host, options, done) => {
    lookUp(host).then(
      (addresses) => {
        const judged = judgeAddresses(read, addresses)
        if (judged.expect === 'deny') return done(new RefusedAddress(host, judged.reason), '', 0)
        const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }))
        const first = found[0] as LookupAddress
        if (options.all) (done as unknown as (error: null, found: LookupAddress[]) => void)(null, found)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
  const connect = buildConnector({ lookup, timeout: timeoutMs } as buildConnector.BuildOptions)
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0) {
      const judged = judgeAddress(read, host)
      if (judged.expect === 'deny') return done(new RefusedAddress(host, judged.reason), null)
    }
    return connect(options, done)
  }
}
