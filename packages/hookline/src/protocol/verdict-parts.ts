/** The pieces that verdicts are made of: a permission, a text, a block, a stop, a message, a conflict. */
import type { HookId } from './hook.ts'

/** What may become of the announced step; `passthrough` is "no opinion" and never turns into `allow`. */
export type Behavior = 'allow' | 'deny' | 'ask' | 'defer' | 'passthrough'

/** What the hooks said about a call, and which of them said the winning word. */
export interface Permission<B extends Behavior = Behavior> {
  behavior: B
  reason?: string
  by: readonly HookId[]
}

/** A text for the model; over 10,000 characters it is a preview and `file` holds the whole (design decision 18). */
export interface Text {
  text: string
  by: HookId
  truncated: boolean
  file?: string
}

export interface Block {
  reason: string
  to: 'model' | 'user' | 'nobody'
  by: HookId
}

export interface Stopped {
  reason: string
  by: HookId
}

export interface Message {
  text: string
  to: 'user' | 'model'
  level: 'info' | 'warning' | 'error'
  by?: HookId
}

/** Two hooks set the same field; the last in configuration order won (design decision 1). */
export interface Conflict {
  field: string
  won: HookId
  lost: readonly HookId[]
}

/** An answer to an MCP server's question. */
export interface Elicited {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** The permission fold's order, strictest first (design decision 3). */
export const strictest: readonly Behavior[] = ['deny', 'defer', 'ask', 'allow', 'passthrough']

/** The stricter of two behaviors; associative, commutative, idempotent, with `passthrough` as identity. */
export function stricter(a: Behavior, b: Behavior): Behavior {
  return strictest.indexOf(a) <= strictest.indexOf(b) ? a : b
}
