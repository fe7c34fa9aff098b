/** The parts of a compiled hook that hooks from settings and hooks in code share: the listed record, the deadline, the flags. */
import type { NamedRow } from '../protocol/events.ts'
import type { HandlerType } from '../protocol/handler-spec.ts'
import type { HookInfo, Source } from '../protocol/hook.ts'
import { defaultTimeout } from '../protocol/row.ts'
import type { Matcher } from './matcher.ts'

/** A longer timer would fire at once in Node. */
const longestMs = 2 ** 31 - 1

/** Where a hook stands: its source, event, group and number. */
export interface Seat {
  readonly row: NamedRow
  readonly source: Source
  readonly group: number
  readonly index: number
}

/** The id of the hook that stands there. */
export function idOf({ source, row, group, index }: Seat): string {
  return `${source.id}:${row.name}:${group}:${index}`
}

/** The flags of a hook, in their fixed order. */
export function flagsOf({
  background,
  once,
  persistent,
}: {
  background: 'async' | 'asyncRewake' | undefined
  once: boolean
  persistent: boolean
}): HookInfo['flags'] {
  const flags: HookInfo['flags'][number][] = background === undefined ? [] : [background]
  if (once) flags.push('once')
  if (persistent) flags.push('persistent')
  return flags
}

/** What `common` is made from. `timeout` is in seconds. */
export interface Common {
  readonly row: NamedRow
  readonly type: HandlerType
  readonly matcher: Matcher
  readonly failClosed: boolean
  readonly timeout: number | undefined
  readonly once: boolean
  readonly background?: 'async' | 'asyncRewake'
}

/** What selection and handlers read of every hook. */
export function common({ row, type, matcher, failClosed, timeout, once, background }: Common) {
  return {
    type,
    event: row.name,
    matcher,
    once,
    failClosed,
    timeoutMs: Math.min(longestMs, (timeout ?? defaultTimeout(row, type)) * 1_000),
    ownTimeout: timeout !== undefined,
    ...(background === undefined ? {} : { background }),
  }
}

/** What the record is made from. */
export interface InfoParts extends Pick<HookInfo, 'type' | 'label' | 'flags' | 'trust'> {
  readonly matcher: Matcher
  readonly condition: string | undefined
  readonly timeout: number | undefined
  readonly failClosed: boolean
  readonly sandbox: HookInfo['sandbox'] | undefined
  readonly digest: () => string
}

/** The listed record, keys in the order of contract §8; the digest is worked out when it is first read. */
export function infoOf(seat: Seat, parts: InfoParts): HookInfo {
  let digest: string | undefined
  return {
    id: idOf(seat),
    event: seat.row.name,
    type: parts.type,
    label: parts.label,
    ...(parts.matcher.text === undefined ? {} : { matcher: parts.matcher.text }),
    ...(parts.condition === undefined ? {} : { if: parts.condition }),
    timeout: parts.timeout ?? defaultTimeout(seat.row, parts.type as HandlerType),
    ...(parts.failClosed ? { onFailure: 'block' as const } : {}),
    ...(parts.sandbox === undefined ? {} : { sandbox: parts.sandbox }),
    flags: parts.flags,
    get digest() {
      digest ??= parts.digest()
      return digest
    },
    trust: parts.trust,
    source: seat.source,
  }
}
