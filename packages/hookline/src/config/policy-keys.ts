/** Reads what one source forbids. Keys count only where they may stand, and what cannot be read counts as the stricter reading. */
import { eventNames, rowOf } from '../protocol/events.ts'
import type { SourceKind } from '../protocol/hook.ts'
import { type Findings, quoted } from './findings.ts'
import { nearest } from './nearest.ts'
import { isByKind, readHookSandbox, type SandboxKeys } from './sandbox-fence.ts'
import { type Entry, entryOf, kindWord, type ObjectTree, textOf, textsOf } from './tree.ts'

/** The policy keys of one source. */
export interface PolicyKeys {
  readonly disableAllHooks?: boolean
  readonly allowManagedHooksOnly?: boolean
  readonly strictPluginOnly?: boolean
  readonly allowedHttpHookUrls?: readonly string[]
  readonly httpHookAllowedEnvVars?: readonly string[]
  readonly allowedHttpOrigins?: readonly string[]
  readonly requireFailClosed?: readonly string[] | true
  readonly disabledHooks?: readonly string[]
  readonly auditRequired?: boolean
  readonly selfProtection?: boolean
  readonly sandbox?: SandboxKeys
}

const managedOnly: readonly SourceKind[] = ['managed']
const managedOrUser: readonly SourceKind[] = ['managed', 'user']

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
/** Where a key stands. */
interface Spot {
  readonly findings: Findings
  readonly kind: SourceKind
}

type Reader = (entry: Entry, keys: Mutable<PolicyKeys>, spot: Spot) => void

/** Every policy key: who may set it (absent: everybody), and how it is read. */
const readers: Readonly<Record<string, { readonly from?: readonly SourceKind[]; readonly read: Reader }>> = {
  disableAllHooks: {
    read: (entry, keys, { findings }) => {
      const { value } = entry
      if (value.kind !== 'flag') return misread(entry, findings, 'true or false; it is not read')
      keys.disableAllHooks = value.value
      if (value.value) findings.add('disabled-hooks', 'disableAllHooks switches hooks off', { at: value.at })
    },
  },
  allowManagedHooksOnly: {
    from: managedOnly,
    read: (entry, keys, { findings }) => {
      if (entry.value.kind !== 'flag') misread(entry, findings, 'true or false; it counts as true')
      keys.allowManagedHooksOnly = entry.value.kind !== 'flag' || entry.value.value
    },
  },
  strictPluginOnlyCustomization: {
    from: managedOnly,
    read: (entry, keys, { findings }) => {
      const { value } = entry
      const texts = textsOf(value)
      if (value.kind !== 'flag' && texts === undefined) misread(entry, findings, 'true, false or a list of texts; it counts as true')
      keys.strictPluginOnly = value.kind === 'flag' ? value.value : (texts?.includes('hooks') ?? true)
    },
  },
  allowedHttpHookUrls: {
    read: (entry, keys, { findings }) => {
      keys.allowedHttpHookUrls = narrowingList(entry, findings)
    },
  },
  httpHookAllowedEnvVars: {
    read: (entry, keys, { findings }) => {
      keys.httpHookAllowedEnvVars = narrowingList(entry, findings)
    },
  },
  allowedHttpOrigins: {
    from: managedOrUser,
    read: (entry, keys, { findings }) => {
      const texts = textsOf(entry.value)
      if (texts === undefined) return misread(entry, findings, 'a list of texts; it is not read')
      keys.allowedHttpOrigins = texts.flatMap((text, index) => {
        const origin = originOf(text)
        const at = entry.value.kind === 'list' ? entry.value.items[index]?.at : undefined
        if (origin === undefined)
          findings.add('policy-entry', `allowedHttpOrigins: ${quoted(text)} is no origin`, {
            ...(at === undefined ? {} : { at }),
            hint: 'Write scheme, host and port only, for example "http://localhost:8080".',
          })
        return origin ?? []
      })
    },
  },
  requireFailClosed: {
    from: managedOnly,
    read: (entry, keys, { findings }) => {
      const { value } = entry
      const texts = textsOf(value)
      if (value.kind === 'flag') {
        if (value.value) keys.requireFailClosed = true
        return
      }
      if (texts === undefined) misread(entry, findings, 'true or a list of events; it counts as true')
      for (const [at, name] of (texts ?? []).entries()) lintClosing(name, findings, value.kind === 'list' ? (value.items[at]?.at ?? value.at) : value.at)
      keys.requireFailClosed = texts ?? true
    },
  },
  disabledHooks: {
    from: managedOrUser,
    read: (entry, keys, { findings }) => {
      const texts = textsOf(entry.value)
      if (texts === undefined) return misread(entry, findings, 'a list of hook ids; it is not read')
      keys.disabledHooks = texts
    },
  },
  hookSandbox: {
    read: (entry, keys, { findings, kind }) => {
      keys.sandbox = readHookSandbox(entry, kind, findings)
    },
  },
  sandbox: {
    // Other agents keep the settings of their own sandbox here; a word, or kinds of sources, are meant for us.
    read: (entry, keys, { findings, kind }) => {
      if (keys.sandbox === undefined && (entry.value.kind === 'text' || isByKind(entry.value))) keys.sandbox = readHookSandbox(entry, kind, findings)
    },
  },
  auditRequired: {
    from: managedOrUser,
    read: (entry, keys, { findings }) => {
      if (entry.value.kind !== 'flag') misread(entry, findings, 'true or false; it counts as true')
      keys.auditRequired = entry.value.kind !== 'flag' || entry.value.value
    },
  },
  selfProtection: {
    from: managedOrUser,
    read: (entry, keys, { findings }) => {
      if (entry.value.kind !== 'flag') misread(entry, findings, 'true or false; it counts as true')
      keys.selfProtection = entry.value.kind !== 'flag' || entry.value.value
    },
  },
}

/** An event that is not there, or that no failure can hold up, is a guard that somebody only believes in. */
function lintClosing(name: string, findings: Findings, at: number): void {
  const row = rowOf(name)
  if (row === undefined) {
    const meant = nearest(name, eventNames)
    findings.add('policy-entry', `requireFailClosed: no event called ${quoted(name)}${meant === undefined ? ' is known here' : `; did you mean "${meant}"?`}`, {
      at,
    })
  } else if (row.failClosed !== 'can' && row.failClosed !== 'always')
    findings.add('policy-entry', `requireFailClosed: a failure of a hook on ${name} cannot hold anything up, so this has no effect`, { at })
}

/** The names of all policy keys. */
export const policyKeyNames: readonly string[] = Object.keys(readers)

/** Reads the policy keys of one source. */
export function readPolicyKeys(settings: ObjectTree, kind: SourceKind, findings: Findings): PolicyKeys {
  const keys: Mutable<PolicyKeys> = {}
  for (const [name, { from, read }] of Object.entries(readers)) {
    const entry = entryOf(settings, name)
    if (entry === undefined) continue
    if (from !== undefined && !from.includes(kind)) {
      findings.add('policy-entry', `only ${from.toReversed().join(' and ')} settings may set ${name}; here it has no effect`, { at: entry.keyAt })
    } else read(entry, keys, { findings, kind })
  }
  return keys
}

/** A list that narrows what is allowed: what cannot be read allows nothing. */
function narrowingList(entry: Entry, findings: Findings): string[] {
  const { value } = entry
  if (value.kind !== 'list') {
    misread(entry, findings, 'a list of texts; it counts as an empty list')
    return []
  }
  const texts = value.items.map(textOf).filter((text) => text !== undefined)
  if (texts.length < value.items.length) misread(entry, findings, 'a list of texts; the other items are not read')
  return texts
}

function misread({ key, value }: Entry, findings: Findings, expected: string): void {
  const [kind = '', effect = ''] = expected.split('; ')
  findings.add('policy-entry', `${key}: expected ${kind}, got ${kindWord(value)}; ${effect}`, { at: value.at, severity: 'error' })
}

/** The origin of a URL that is nothing but an origin. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' && url.username === '' ? url.origin : undefined
}
