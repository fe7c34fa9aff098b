/** What makes two hooks one (design decision 2): where they come from, their type, what they run, their `if`. */
import type { HandlerType } from '../protocol/handler-spec.ts'
import { canonical } from './digest.ts'

const payload: Partial<Record<HandlerType, readonly string[]>> = {
  command: ['command', 'args'],
  http: ['url'],
  prompt: ['prompt'],
  agent: ['prompt'],
  mcp_tool: ['server', 'tool', 'input'],
  module: ['path'],
}

/** The key. Timeout, shell, headers and the like are no part of it: the later definition wins. */
export function dedupKeyOf(root: string, type: HandlerType, spec: Readonly<Record<string, unknown>>): string {
  return canonical([root, type, ...(payload[type] ?? []).map((field) => spec[field]), spec['if']])
}
