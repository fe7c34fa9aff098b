/** What a permission mode says about a call once deny and ask rules were looked at (protocol §6). */
import type { PermissionMode, ToolCall } from '../protocol/permission.ts'
import { namesOf, toolKinds } from '../protocol/tools.ts'

/** What a tool does to the machine. */
export type ToolKind = 'read' | 'edit' | 'other'

/** What a mode says; `passthrough` leaves it to the allow rules, and then to the person or the classifier. */
export interface ModeSays {
  readonly behavior: 'allow' | 'deny' | 'passthrough'
  readonly reason?: string
}

const says: Readonly<Record<PermissionMode, Readonly<Partial<Record<ToolKind | 'any', ModeSays>>>>> = {
  default: {},
  plan: { read: { behavior: 'allow' }, edit: { behavior: 'deny', reason: 'The plan mode changes no files. Present the plan first.' } },
  acceptEdits: { read: { behavior: 'allow' }, edit: { behavior: 'allow' } },
  auto: {},
  dontAsk: {},
  bypassPermissions: { any: { behavior: 'allow' } },
}

/** What the mode says about tools of this kind. An unknown mode says nothing. */
export function judgeMode(mode: PermissionMode | undefined, kind: ToolKind): ModeSays {
  if (mode === undefined || !Object.hasOwn(says, mode)) return { behavior: 'passthrough' }
  return says[mode].any ?? says[mode][kind] ?? { behavior: 'passthrough' }
}

/** The kind of the known tools; everything else is `other`. */
export function knownKind(call: ToolCall): ToolKind {
  const name = namesOf(call.name).find((n) => Object.hasOwn(toolKinds, n))
  return name === undefined ? 'other' : (toolKinds[name] ?? 'other')
}
