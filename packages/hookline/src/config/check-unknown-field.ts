/** Says what is known of a field that no hook or group has: where it belongs, what to write instead, or which name was meant. */
import type { HookId } from '../protocol/hook.ts'
import { type FindingDetails, type Findings, quoted } from './findings.ts'
import { commonFields, failModeFields, handlerFields, harmlessFields, promisingFields, type WrittenType, writtenTypes } from './handler-fields.ts'
import { nearest } from './nearest.ts'
import type { Entry } from './tree.ts'

/** The hook or group that the field stands in; without a type it is a group. */
export interface FieldSite {
  readonly type?: WrittenType
  readonly findings: Findings
  readonly hook: HookId
}

/** Reports one unknown field. Keys that begin with "_" or "$" are comments by custom and stay unmentioned. */
export function checkUnknownField({ key, keyAt }: Entry, { type, findings, hook }: FieldSite): void {
  if (/^[_$]/.test(key)) return
  const { message, ...more } = type === undefined ? inGroup(key) : inHook(key, type)
  findings.add('unknown-field', message, { ...more, at: keyAt, hook })
}

interface Telling extends Pick<FindingDetails, 'hint' | 'severity'> {
  readonly message: string
}

const harmless = (key: string): Telling => ({ message: `"${key}" is not read; it does no harm`, severity: 'info' })

function inHook(key: string, type: WrittenType): Telling {
  if (harmlessFields.includes(key)) return harmless(key)
  if (key === 'matcher') return { message: 'matcher belongs on the group, beside "hooks"; here it is not read', hint: 'Move it one level up.' }
  const owner = writtenTypes.find((other) => Object.hasOwn(handlerFields[other], key))
  if (owner !== undefined) return { message: `"${key}" belongs to ${owner} hooks; a ${type} hook does not read it` }
  if (Object.hasOwn(promisingFields, key)) return { message: `"${key}" has no effect: this format does not know it`, hint: promisingFields[key] }
  return stranger(key, nearest(key, [...Object.keys(commonFields), ...Object.keys(handlerFields[type]), 'onFailure']))
}

function inGroup(key: string): Telling {
  if (harmlessFields.includes(key)) return harmless(key)
  const onHandler = Object.hasOwn(commonFields, key) || failModeFields.includes(key) || writtenTypes.some((type) => Object.hasOwn(handlerFields[type], key))
  if (onHandler) return { message: `${key} belongs on the handler; on the group it is not read`, hint: 'Move it into the objects of "hooks".' }
  return stranger(key, nearest(key, ['matcher', 'hooks']))
}

function stranger(key: string, meant: string | undefined): Telling {
  return meant === undefined
    ? { message: `unknown field ${quoted(key)}`, hint: 'It is not read.' }
    : { message: `unknown field ${quoted(key)}; did you mean "${meant}"?` }
}
