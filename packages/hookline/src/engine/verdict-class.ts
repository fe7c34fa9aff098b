/** The verdict classes of one row: the lists and the permission that its verdicts always have sit on the prototype. */
import type { NamedRow } from '../protocol/events.ts'
import { permits } from './aggregate.ts'
import { QuietVerdict } from './quiet.ts'
import { FoldedVerdict } from './verdict.ts'

/** What a call of one row may end in. */
export interface VerdictClasses {
  readonly Quiet: typeof QuietVerdict
  readonly Full: typeof FoldedVerdict
}

const none: readonly never[] = Object.freeze([])
const noOpinion = Object.freeze({ behavior: 'passthrough' as const, by: none })

/** Makes the classes; a scope keeps them with its plan for the event. */
export function verdictClasses(row: NamedRow): VerdictClasses {
  const Full = class extends FoldedVerdict {}
  const Quiet = class extends QuietVerdict {}
  Object.defineProperty(Quiet.prototype, 'row', { value: row })
  Object.defineProperty(Quiet.prototype, 'full', { value: Full })
  for (const key of alwaysThere(row)) {
    Object.defineProperty(Full.prototype, key, {
      get(this: FoldedVerdict) {
        return this.folded[key]
      },
      enumerable: true,
      configurable: true,
    })
    Object.defineProperty(Quiet.prototype, key, { value: key === 'permission' ? noOpinion : none, enumerable: true })
  }
  return { Quiet, Full }
}

function alwaysThere(row: NamedRow): ('permission' | 'blocks' | 'context' | 'classifierContext')[] {
  const keys: ('permission' | 'blocks' | 'context' | 'classifierContext')[] = []
  if (permits(row)) keys.push('permission')
  if (permits(row) || row.powers.includes('block')) keys.push('blocks')
  if (row.powers.includes('context')) keys.push('context')
  if (row.powers.includes('classifierContext')) keys.push('classifierContext')
  return keys
}
