/** Rules about arguments: `Tool(param:value)`, `WebFetch(domain:host)`, `Agent(type)`, `Skill(name)`. */
import { mainFields } from '../protocol/tools.ts'
import { cannotTell, type Look, no, yes } from './answer.ts'
import type { RuleCall } from './call.ts'
import type { Rule, RuleUse } from './rule.ts'
import { matchesStars } from './stars.ts'

/** `Tool(param:value)`: one top-level scalar argument of the call as the model gave it; `undefined` when the rule names none. */
export function lookAtArgument(rule: Rule, call: RuleCall): Look | undefined {
  const match = /^([A-Za-z_][\w-]*):([\s\S]*)$/.exec(rule.specifier ?? '')
  const name = match?.[1] ?? ''
  if (match === null || mainFields[call.tool] === name) return undefined
  if (!Object.hasOwn(call.input, name)) return no(`the call has no "${name}"`)
  const value = call.input[name]
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return no(`"${name}" is not a single value`)
  const wanted = (match[2] ?? '').trim()
  return matchesStars(wanted, String(value)) ? yes(`"${name}" is "${wanted}"`) : no(`"${name}" is not "${wanted}"`)
}

/** `WebFetch(domain:host)`: the address's host; a leading `*.` is any depth, a star elsewhere one label (protocol §4.4). */
export function lookAtDomain(rule: Rule, call: RuleCall): Look | undefined {
  const domain = domainOf(rule)
  if (domain === undefined) return undefined
  const { wanted } = domain
  const host = hostOf(call.input['url'])
  if (host === undefined) return cannotTell('the address cannot be read')
  return matchesDomain(domain, host) ? yes(`the host "${host}" is covered by "${wanted}"`) : no(`the host "${host}" is not covered by "${wanted}"`)
}

// Every rule of a decision looks at the same address.
let latest: { readonly url: unknown; readonly host: string | undefined } | undefined

function hostOf(url: unknown): string | undefined {
  if (latest === undefined || latest.url !== url) latest = { url, host: readHost(url) }
  return latest.host
}

function readHost(url: unknown): string | undefined {
  try {
    const host = new URL(String(url)).hostname.toLowerCase().replace(/\.$/, '')
    return host === '' ? undefined : host
  } catch {
    return undefined
  }
}

interface DomainPattern {
  /** As it was written. */
  readonly wanted: string
  /** Any number of names may stand in front. */
  readonly deep: boolean
  /** Absent: every host. */
  readonly labels?: readonly string[]
}

const domains = new WeakMap<Rule, DomainPattern | 'none'>()

/** What a rule says about domains; looked at once. */
function domainOf(rule: Rule): DomainPattern | undefined {
  let domain = domains.get(rule)
  if (domain === undefined) {
    const wanted = /^domain:(.*)$/s.exec(rule.specifier ?? '')?.[1]?.trim()
    domain = wanted === undefined ? 'none' : readDomain(wanted)
    domains.set(rule, domain)
  }
  return domain === 'none' ? undefined : domain
}

function readDomain(wanted: string): DomainPattern {
  let pattern = wanted.toLowerCase().replace(/\.$/, '')
  if (pattern === '*') return { wanted, deep: true }
  const deep = pattern.startsWith('*.')
  if (deep) pattern = pattern.slice(2)
  // The address was brought to its ASCII form; the rule's text must be, too.
  if (!pattern.includes('*')) pattern = readHost(`http://${pattern}`) ?? pattern
  return { wanted, deep, labels: pattern.split('.') }
}

function matchesDomain({ deep, labels }: DomainPattern, host: string): boolean {
  if (labels === undefined) return true
  const given = host.split('.')
  if (deep ? given.length <= labels.length : given.length !== labels.length) return false
  return labels.every((label, i) => matchesStars(label, given[given.length - labels.length + i] ?? ''))
}

/** `Agent(type)`: the kind of subagent. */
export function lookAtAgent(rule: Rule, call: RuleCall): Look {
  const type = call.input['subagent_type']
  const given = typeof type === 'string' ? type : 'general-purpose'
  const wanted = (rule.specifier ?? '*').trim()
  return matchesStars(wanted, given) ? yes(`the subagent is "${given}"`) : no(`the subagent is "${given}", not "${wanted}"`)
}

/** `Skill(name)` is that skill without arguments to permit, and with any to forbid; `Skill(name *)` is with or without. */
export function lookAtSkill(rule: Rule, call: RuleCall, use: RuleUse): Look {
  const wanted = (rule.specifier ?? '*').trim().replace(/^\//, '').replace(/:\*$/, ' *')
  const skill = call.input['skill'] ?? call.input['command']
  if (typeof skill !== 'string') return cannotTell('the call does not name its skill')
  const name = skill.replace(/^\//, '')
  const args = call.input['args']
  const given = typeof args === 'string' && args !== '' ? `${name} ${args}` : name
  const open = wanted.endsWith(' *')
  if (matchesStars(wanted, given) || (open && matchesStars(wanted.slice(0, -2), name))) return yes(`the skill is "${name}"`)
  if (use !== 'grant' && matchesStars(wanted, name)) return yes(`the skill is "${name}", with arguments`)
  return no(`"${given}" is not covered by "${wanted}"`)
}
