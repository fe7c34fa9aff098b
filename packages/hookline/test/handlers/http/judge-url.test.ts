/** Every row of the URL guard's cases, and the kinds of trick behind them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { kindOfAddress } from '../../../src/handlers/http/address.ts'
import { matchesUrl } from '../../../src/handlers/http/judge-url.ts'
import { judgeUrl } from '../../../src/handlers/http/try-url.ts'

interface Row {
  id: string
  url: string
  expect: 'allow' | 'deny'
  reason: string
  why: string
  policy?: 'default' | 'loopback-optin'
  dns?: Record<string, string[]>
  dnsSequence?: string[][]
  redirects?: string[]
  projectEnv?: Record<string, string>
}
const { cases } = JSON.parse(readFileSync(new URL('../../data/cases/ssrf.json', import.meta.url), 'utf8')) as { cases: Row[] }

describe('the URL guard', () => {
  it.each(cases.map((row) => [row.id, row.url, row] as const))('%s %s', async (_id, url, row) => {
    const { policy, dns, dnsSequence, redirects, projectEnv } = row
    const judged = await judgeUrl(url, {
      ...(policy === undefined ? {} : { profile: policy }),
      ...(dns === undefined ? {} : { dns }),
      ...(dnsSequence === undefined ? {} : { dnsSequence }),
      ...(redirects === undefined ? {} : { redirects }),
      ...(projectEnv === undefined ? {} : { projectEnv }),
    })
    expect(judged, row.why).toEqual({ expect: row.expect, reason: row.reason })
  })
})

describe('address kinds', () => {
  it.each([
    ['1.1.1.1', 'public'],
    ['2606:4700::1', 'public'],
    ['::ffff:10.1.2.3', 'private'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['4000::1', 'reserved'],
    ['::2', 'ipv4-compatible'],
    ['fe80::1%eth0', 'unparsable'],
    ['1.2.3', 'unparsable'],
    ['01.2.3.4', 'unparsable'],
    ['1::2::3', 'unparsable'],
    ['12345::', 'unparsable'],
    ['', 'unparsable'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind)
  })
})

describe('URL patterns of the allow-list', () => {
  it.each([
    ['https://hooks.example.com/*', 'https://hooks.example.com/a/b', true],
    ['https://hooks.example.com', 'https://hooks.example.com/', true],
    ['https://HOOKS.example.com./*', 'https://hooks.example.com/x', true],
    ['https://*.example.com/*', 'https://a.example.com/x', true],
    ['https://*.example.com/*', 'https://evil.test/a.example.com/x', false],
    ['https://*.example.com/*', 'https://example.com/x', false],
    ['https://hooks.example.com/*', 'http://hooks.example.com/a', false],
    ['https://hooks.example.com/a', 'https://hooks.example.com/A', false],
    ['*', 'http://x.test/', true],
    ['https://x.test/*a*b*c', `https://x.test/${'a'.repeat(2_000)}`, false],
  ])('%s against %s', (pattern, url, matches) => {
    expect(matchesUrl(pattern, new URL(url))).toBe(matches)
  })
})
