/** Writes an answer in the words of the powers as the wire object (protocol §3), for hooks that answer from a process. */
import type { WireAnswer } from './answering.ts'
import type { NamedRow } from './events.ts'
import { answerKeys, behaviorsOf, type PowerKey } from './powers.ts'
import type { Words } from './words.ts'

/** An answer on its way out of a process. */
export interface WrittenAnswer {
  /** Empty when there is nothing to print. */
  readonly wire: WireAnswer
  /** The reason of a block, which leaves as exit code 2 too: hosts differ in the events whose printed block they read. */
  readonly refusal?: string
}

type Json = Record<string, unknown>

/** The wire form of an answer. Keys that are not known stay where they are: saying so is the reader's work. */
export function writeAnswer(answer: object, row: NamedRow): WrittenAnswer {
  const { permission, reason, block, stop, message, elicitation, ...rest } = answer as Words
  const power = row.powers.find((one): one is keyof typeof behaviorsOf => one in behaviorsOf)
  const wire: Json = {}
  let own: Json = { ...elicitation }
  for (const [key, value] of Object.entries(rest)) {
    if (Object.hasOwn(answerKeys, key)) own[wireNameOf(key as PowerKey)] = value
    else wire[key] = value
  }
  if (message !== undefined) wire['systemMessage'] = message
  if (stop !== undefined) Object.assign(wire, { continue: false }, stop === '' ? {} : { stopReason: stop })
  // On events with a permission a block is a deny; an event that reads no JSON has no printed word for a block.
  if (block !== undefined && power !== undefined) own = decide(own, 'deny', { power, reason: permission === 'deny' ? (reason ?? block) : block })
  else if (permission !== undefined && (permission as string) !== 'passthrough') own = decide(own, permission, { power, reason })
  else if (reason !== undefined) wire['reason'] = reason
  if (block !== undefined && power === undefined && row.discards !== 'all') Object.assign(wire, { decision: 'block', reason: block })
  if (Object.keys(own).length > 0) wire['hookSpecificOutput'] = { hookEventName: row.name, ...own }
  const holdsUp = block !== undefined && power === undefined && row.onBlock !== undefined && row.onBlock !== 'feedback'
  return { wire: wire as WireAnswer, ...(holdsUp ? { refusal: block } : {}) }
}

/** Adds a behavior. A grant carries all it brings inside `decision`; the other powers use flat fields. */
function decide(own: Json, behavior: string, { power, reason }: { power: string | undefined; reason: string | undefined }): Json {
  if (power !== 'grant') return { ...own, permissionDecision: behavior, ...(reason === undefined ? {} : { permissionDecisionReason: reason }) }
  const { interrupt, updatedInput, updatedPermissions, ...rest } = own
  return { ...rest, decision: { behavior, message: reason, interrupt, updatedInput, updatedPermissions } }
}

function wireNameOf(key: PowerKey): string {
  const spec = answerKeys[key]
  return 'wire' in spec ? spec.wire : key
}
