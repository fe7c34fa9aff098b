/** The judgement of self-protection: whether a tool call would change what guards the session, and the refusal in words. */
import type { RuleCall } from './call.ts'
import type { ProtectedPath } from './protected-paths.ts'
import { findInCall } from './protected-tools.ts'
import type { Surroundings } from './protected-words.ts'

/** Where the call is made: everything but the folder, which the call brings. */
export type ProtectedGround = Omit<Surroundings, 'folders'>

/** Why a call may not run; `undefined`: nothing against it. Reading is never refused. */
export function refusalOf(call: RuleCall, ground: ProtectedGround): string | undefined {
  const found = findInCall(call, aroundIn(call.cwd, ground))
  return found === undefined ? undefined : refusal(found)
}

// Calls are made in the same folder most of the time.
const last = new WeakMap<ProtectedGround, Surroundings>()

function aroundIn(cwd: string | undefined, ground: ProtectedGround): Surroundings {
  const known = last.get(ground)
  if (known !== undefined && known.folders[0] === cwd) return known
  const around = { ...ground, folders: cwd === undefined ? [] : [cwd] }
  last.set(ground, around)
  return around
}

function refusal({ path, what, how }: ProtectedPath): string {
  return [
    `${path} is ${what}, and no tool may change it: it is part of what guards this session.`,
    'Reading it is allowed.',
    how ?? 'If it should change, ask the person to change it: in an editor, or in a terminal of their own.',
    'They can switch this protection off with "selfProtection": false in their user settings.',
  ].join(' ')
}
