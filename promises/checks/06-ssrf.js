/** Promise 6: an http hook never connects to an address that is not public; a listener on every address counts. */
import { existsSync, readFileSync } from 'node:fs'
import { startHost } from '../host.js'
import { count, notRun, Tally } from '../result.js'
import { everyAddressIsOurs } from '../sandbox.js'
import { scratch } from '../world.js'

export const promises = [
  { id: '6a', words: 'written rows of refused and allowed URLs, dialled for real', run: rows },
  { id: '6b', words: 'random spellings of refused addresses: 0 connections', run: spellings },
]

const corpus = new URL('../../packages/hookline/test/data/cases/ssrf.json', import.meta.url)
const reasonOf = (ending) => /\(([a-z0-9-]+)\)/.exec(ending?.why ?? '')?.[1]

async function rows() {
  if (!existsSync(corpus)) return notRun('the rows are not in this package')
  const before = everyAddressIsOurs(scratch('network'))
  if (before === undefined) return notRun('this machine does not let us build a network of our own')
  const cases = JSON.parse(readFileSync(corpus, 'utf8')).cases
  const found = await startHost('dialling.js', { root: scratch('dial'), rows: cases }, { before }).finding()
  const tally = new Tally()
  let reached = 0
  for (const [at, row] of cases.entries()) {
    const { connections, ending, skipped, threw } = found[at]
    const wrong = judge(row, found[at])
    if (row.expect === 'allow') reached += connections.length > 0 ? 1 : 0
    tally.add(wrong === undefined ? undefined : `${row.id} ${row.url}: ${wrong}; ${JSON.stringify({ connections, ending, skipped, threw })}`)
  }
  const denied = cases.filter(({ expect }) => expect === 'deny').length
  return tally.done(`${denied} refused rows: 0 connections to a refused address; ${reached} of ${cases.length - denied} allowed rows were connected to`)
}

/** What a first answer may lead to, by kind: a client that pins a checked address may reach that one, and a redirect is not followed. */
const public1 = '93.184.215.14'
const mayReach = { rebinding: [public1], redirect: [public1], proxy: [public1] }

function judge({ kind, expect, reason, dns }, { connections, ending, allowed, threw }) {
  if (threw !== undefined) return 'it threw'
  if (expect === 'allow') {
    if (connections.length === 0) return 'nobody was connected to'
    const addresses = Object.values(dns ?? {}).flat()
    return kind === 'allowed' && addresses.length > 0 && connections.some(({ address }) => !addresses.includes(address))
      ? 'another address was connected to'
      : undefined
  }
  const permitted = mayReach[kind] ?? []
  if (connections.some(({ address }) => !permitted.includes(address))) return 'a refused address was connected to'
  if (kind === 'redirect') return allowed ? 'the redirect was taken for an answer' : undefined
  if (kind === 'proxy' && reason === 'proxy') return undefined
  if (allowed) return 'it was allowed'
  return ending?.kind === 'refused' && kind !== 'rebinding' && reasonOf(ending) !== reason ? `the reason should be ${reason}` : undefined
}

const refused4 = [
  [10, 8],
  [127, 8],
  [0, 8],
  [169.254, 16],
  [172.16, 12],
  [192.168, 16],
  [100.64, 10],
  [198.18, 15],
  [224, 4],
  [240, 4],
  [192.0, 24],
]

/** A random address out of a block that is not public. */
function someAddress(random) {
  const [block, bits] = random.pick(refused4)
  const first = String(block).split('.').map(Number)
  const bytes = [first[0], first[1] ?? 0, 0, 0]
  const value = ((bytes[0] << 24) | (bytes[1] << 16)) >>> 0
  const free = 2 ** (32 - bits)
  const whole = value + Math.floor(random.next() * free)
  return [24, 16, 8, 0].map((shift) => Math.floor(whole / 2 ** shift) % 256)
}

function spellAddress(random, bytes) {
  const whole = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const part = (byte) => random.pick([String(byte), `0x${byte.toString(16)}`, `0${byte.toString(8)}`])
  const group = (high, low) => ((bytes[high] << 8) | bytes[low]).toString(16)
  const [ab, cd] = [group(0, 1), group(2, 3)]
  return random.pick([
    () => bytes.join('.'),
    () => String(whole),
    () => `0x${whole.toString(16)}`,
    () => `0${whole.toString(8)}`,
    () => bytes.map(part).join('.'),
    () => `${part(bytes[0])}.${(bytes[1] << 16) | (bytes[2] << 8) | bytes[3]}`,
    () => `${part(bytes[0])}.${part(bytes[1])}.${(bytes[2] << 8) | bytes[3]}`,
    () => `${bytes.join('.')}.`,
    () => `[::ffff:${bytes.join('.')}]`,
    () => `[::ffff:${ab}:${cd}]`,
    () => `[0:0:0:0:0:ffff:${ab}:${cd}]`,
    () => `[64:ff9b::${ab}:${cd}]`,
    () => `[64:ff9b::${bytes.join('.')}]`,
    () => `[2002:${ab}:${cd}::1]`,
    () => `[::${ab}:${cd}]`,
    () => `[${random.pick(['fe80::', 'fc00::', 'fd12:3456::', 'ff02::', '::', 'fec0::', '100::', '2001:db8::'])}${random.int(65_536).toString(16)}]`,
    () => [...bytes.join('.')].map((one) => (random.chance(0.5) ? String.fromCodePoint(one === '.' ? 0x3002 : 0xff10 + Number(one)) : one)).join(''),
    () => [...bytes.join('.')].map((one) => (random.chance(0.3) ? `%${one.charCodeAt(0).toString(16)}` : one)).join(''),
  ])()
}

async function spellings({ random, short }) {
  const before = everyAddressIsOurs(scratch('network'))
  if (before === undefined) return notRun('this machine does not let us build a network of our own')
  const rows = Array.from({ length: short ? 40 : 1_000 }, (_, at) => {
    const bytes = someAddress(random)
    // Written into the URL, or answered by the name server.
    if (random.chance(0.7))
      return { id: `r${at}`, url: `${random.pick(['http', 'https', 'HTTP'])}://${spellAddress(random, bytes)}${random.pick(['', ':8080', '/x', ':80/'])}` }
    const answers = random.shuffle([random.chance(0.3) ? `::ffff:${bytes.join('.')}` : bytes.join('.'), ...(random.chance(0.5) ? [public1] : [])])
    return { id: `r${at}`, url: `${random.pick(['http', 'https'])}://n${at}.example.com/`, dns: { [`n${at}.example.com`]: answers } }
  })
  const found = await startHost('dialling.js', { root: scratch('dial'), rows }, { before }).finding()
  const tally = new Tally()
  for (const [at, row] of rows.entries()) {
    const { connections, allowed, threw } = found[at]
    tally.add(
      connections.length > 0 || allowed || threw !== undefined ? `${row.url} ${JSON.stringify(row.dns ?? '')}: ${JSON.stringify(found[at])}` : undefined,
    )
  }
  return tally.done(`${count(rows.filter(({ dns }) => dns !== undefined).length)} by a name server's answer, the rest written in the URL`)
}
