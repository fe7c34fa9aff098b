/** A finding about settings, a hook or the engine that somebody should see. */
import type { HookId } from './hook.ts'

/** One finding. `message` says who, where and what; `hint` what to do next; lines and columns count from 1. */
export interface Diagnostic {
  severity: 'error' | 'warning' | 'info'
  code: string
  message: string
  hint?: string
  url?: string
  hook?: HookId
  file?: string
  line?: number
  column?: number
}
