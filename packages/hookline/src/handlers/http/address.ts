/** What an IP address is for: public, or one of the ranges that an HTTP hook must not reach (IANA special-purpose registries). */

/** Why an address is refused, as a stable word; `public` when it is not. */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'unspecified'
  | 'cgnat'
  | 'reserved'
  | 'documentation'
  | 'benchmark'
  | 'multicast'
  | 'broadcast'
  | '6to4'
  | 'ipv4-compatible'
  | 'ipv4-translated'
  | 'teredo'
  | 'site-local'
  | 'unique-local'
  | 'discard'
  | 'orchid'
  | 'unparsable'

// [first address, prefix length, kind]; the first range that holds an address names it.
const ranges4: readonly [string, number, AddressKind][] = [
  ['0.0.0.0', 32, 'unspecified'],
  ['0.0.0.0', 8, 'reserved'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'cgnat'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.31.196.0', 24, 'reserved'],
  ['192.52.193.0', 24, 'reserved'],
  ['192.88.99.0', 24, '6to4'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'benchmark'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['255.255.255.255', 32, 'broadcast'],
  ['240.0.0.0', 4, 'reserved'],
]

const ranges6: readonly [string, number, AddressKind][] = [
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['::', 96, 'ipv4-compatible'],
  ['::ffff:0:0:0', 96, 'ipv4-translated'],
  ['64:ff9b:1::', 48, 'private'],
  ['100::', 64, 'discard'],
  ['100:0:0:1::', 64, 'discard'],
  ['2001::', 32, 'teredo'],
  ['2001:2::', 48, 'benchmark'],
  ['2001:db8::', 32, 'documentation'],
  ['2001:10::', 28, 'orchid'],
  ['2001:20::', 28, 'orchid'],
  ['2001::', 23, 'reserved'],
  ['2002::', 16, '6to4'],
  ['3fff::', 20, 'documentation'],
  ['5f00::', 16, 'reserved'],
  ['fc00::', 7, 'unique-local'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'site-local'],
  ['ff00::', 8, 'multicast'],
]

// Forms of IPv6 that carry an IPv4 address in their last 32 bits: what matters is the address inside.
const carriers: readonly [string, number][] = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]

/** What this address is for. Takes the usual spellings: dotted IPv4, any IPv6 form without a zone. */
export function kindOfAddress(address: string): AddressKind {
  const four = parse4(address)
  if (four !== undefined) return find(ranges4, parse4, { address: four, bits: 32 })
  const six = parse6(address)
  if (six === undefined) return 'unparsable'
  if (carriers.some(([first, length]) => within(six, parse6(first) as bigint, { length, bits: 128 }))) {
    return find(ranges4, parse4, { address: six & 0xffff_ffffn, bits: 32 })
  }
  const kind = find(ranges6, parse6, { address: six, bits: 128 })
  // Only 2000::/3 is routable unicast; everything else is reserved, whether a row names it or not.
  return kind === 'public' && six >> 125n !== 1n ? 'reserved' : kind
}

/** Whether the address stays on this machine. */
export function isLoopback(address: string): boolean {
  return kindOfAddress(address) === 'loopback'
}

function find(
  ranges: readonly [string, number, AddressKind][],
  parse: (text: string) => bigint | undefined,
  { address, bits }: { address: bigint; bits: number },
): AddressKind {
  return ranges.find(([first, length]) => within(address, parse(first) as bigint, { length, bits }))?.[2] ?? 'public'
}

function within(address: bigint, first: bigint, { length, bits }: { length: number; bits: number }): boolean {
  const shift = BigInt(bits - length)
  return address >> shift === first >> shift
}

function parse4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

function parse6(text: string): bigint | undefined {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return undefined
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const tail = dotted === null ? undefined : parse4(dotted[2] as string)
  if (dotted !== null && tail === undefined) return undefined
  const plain = dotted === null || tail === undefined ? text : `${dotted[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const given = groups.flat()
  if (!given.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  const missing = 8 - given.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const all = halves.length === 1 ? given : [...(groups[0] as string[]), ...Array<string>(missing).fill('0'), ...(groups[1] as string[])]
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}
