/** Whether a failure of a hook counts as a block: the spellings that are read, and where it has an effect (design decision 6). */

import type { HookId } from '../protocol/hook.ts'
import type { EventRow } from '../protocol/row.ts'
import type { Findings } from './findings.ts'
import { failModeFields } from './handler-fields.ts'
import { kindWord, type ObjectTree, type Tree } from './tree.ts'

/** What a hook asks for; absent when it says nothing. Of several spellings the stricter counts. */
export function readFailMode(hook: ObjectTree, findings: Findings, id: HookId): 'block' | 'continue' | undefined {
  let mode: 'block' | 'continue' | undefined
  for (const { key, keyAt, value } of hook.entries) {
    if (!failModeFields.includes(key)) continue
    const said = meaningOf(key, value)
    if (said === undefined) {
      const got = value.kind === 'text' ? JSON.stringify(value.value) : kindWord(value)
      findings.add('wrong-type', `${key}: expected ${expected(key)}, got ${got}; it is read as "block"`, { at: value.at, hook: id })
    } else if (key !== 'onFailure') {
      findings.add('fail-mode-spelling', `"${key}" is read as "onFailure": "${said}"`, {
        at: keyAt,
        hook: id,
        hint: 'Write "onFailure", which other agents read too.',
      })
    }
    mode = mode === 'block' || said !== 'continue' ? 'block' : 'continue'
  }
  return mode
}

/** A failure of a hook on this row can block, when the hook is awaited. */
export function canFailClosed(row: EventRow, background: boolean): boolean {
  return !background && row.failClosed !== 'ignored' && row.failClosed !== 'never'
}

function meaningOf(key: string, value: Tree): 'block' | 'continue' | undefined {
  if (key === 'failClosed' || key === 'fail_closed') return value.kind === 'flag' ? (value.value ? 'block' : 'continue') : undefined
  if (value.kind !== 'text') return undefined
  if (key === 'failMode') return value.value === 'closed' ? 'block' : value.value === 'open' ? 'continue' : undefined
  return value.value === 'block' || value.value === 'continue' ? value.value : undefined
}

function expected(key: string): string {
  if (key === 'failMode') return '"closed" or "open"'
  return key === 'failClosed' || key === 'fail_closed' ? 'true or false' : '"block" or "continue"'
}
