/** The fields of each handler type, as checks read them (protocol §2.1). */
import type { HandlerType } from '../protocol/handler-spec.ts'
import { readSandbox } from './sandbox.ts'
import { kindWord, type Tree, textsOf } from './tree.ts'

/** What a field holds. */
export interface FieldRule {
  readonly holds: 'text' | 'number' | 'flag' | 'object' | 'texts' | 'text map' | 'sandbox'
  readonly required?: true
  readonly values?: readonly string[]
}
/** The handler types that a settings file may name. */
export type WrittenType = Exclude<HandlerType, 'callback' | 'function'>

const text: FieldRule = { holds: 'text' }
const flag: FieldRule = { holds: 'flag' }
const needed: FieldRule = { holds: 'text', required: true }

/** Fields of every type. `onFailure` has a reader of its own, as any odd value of it counts as "block". */
export const commonFields: Readonly<Record<string, FieldRule>> = {
  type: needed,
  if: text,
  timeout: { holds: 'number' },
  statusMessage: text,
  once: flag,
  sandbox: { holds: 'sandbox' },
}

export const handlerFields: Readonly<Record<WrittenType, Readonly<Record<string, FieldRule>>>> = {
  command: {
    command: needed,
    args: { holds: 'texts' },
    shell: { holds: 'text', values: ['bash', 'powershell'] },
    async: flag,
    asyncRewake: flag,
    persistent: flag,
    rewakeMessage: text,
    rewakeSummary: text,
  },
  http: { url: needed, headers: { holds: 'text map' }, allowedEnvVars: { holds: 'texts' } },
  prompt: { prompt: needed, model: text, continueOnBlock: flag },
  agent: { prompt: needed, model: text, continueOnBlock: flag },
  mcp_tool: { server: needed, tool: needed, input: { holds: 'object' } },
  module: { path: needed },
}
export const writtenTypes = Object.keys(handlerFields) as readonly WrittenType[]

/** The spellings of "a failure blocks" that are read (design decision 6). */
export const failModeFields: readonly string[] = ['onFailure', 'failClosed', 'failMode', 'on_failure', 'fail_closed']

/** Fields that only describe. */
export const harmlessFields: readonly string[] = ['description', 'name', 'id', 'comment', 'notes', 'title']

/** Fields that promise something this format does not do, with what to do instead. */
export const promisingFields: Readonly<Record<string, string>> = {
  cwd: 'Hooks start in the current folder; write "cd" in the command.',
  workingDirectory: 'Hooks start in the current folder; write "cd" in the command.',
  commandWindows: 'The same command runs on every system; choose inside a script.',
  commandLinux: 'The same command runs on every system; choose inside a script.',
  commandMac: 'The same command runs on every system; choose inside a script.',
  windows: 'The same command runs on every system; choose inside a script.',
  bash: 'Write the line in "command".',
  powershell: 'Write the line in "command", with "shell": "powershell".',
  env: 'Set variables in the command, or in "env" at the top of the file.',
  enabled: 'A hook cannot be switched off where it is written; list its id in "disabledHooks" of your user settings.',
  disabled: 'A hook cannot be switched off where it is written; list its id in "disabledHooks" of your user settings.',
  timeoutSec: 'Write "timeout", in seconds.',
  timeoutMs: 'Write "timeout", in seconds.',
  timeout_ms: 'Write "timeout", in seconds.',
  background: 'Write "async": true.',
  blocking: 'Only exit code 2 or a JSON answer blocks; for failures write "onFailure": "block".',
  run_in_background: 'Write "async": true.',
  sequential: 'Hooks of one event run side by side.',
  priority: 'Hooks of one event run side by side; answers are joined in the order of the files.',
  condition: 'Write a permission rule in "if".',
  when: 'Write a permission rule in "if".',
}

/** What is wrong with the value of a field, in words; `undefined` when nothing is. */
export function misfitOf(rule: FieldRule, value: Tree): string | undefined {
  if (rule.holds === 'sandbox') {
    const read = readSandbox(value)
    return read.kind === 'misfit' ? read.why : undefined
  }
  const fits = fitsKind(rule, value)
  if (!fits)
    return `expected ${rule.holds === 'texts' ? 'a list of texts' : rule.holds === 'text map' ? 'an object of texts' : rule.holds === 'flag' ? 'true or false' : rule.holds}, got ${kindWord(value)}`
  if (rule.values !== undefined && value.kind === 'text' && !rule.values.includes(value.value))
    return `expected ${rule.values.map((one) => `"${one}"`).join(' or ')}, got ${JSON.stringify(value.value)}`
  return undefined
}

function fitsKind({ holds }: FieldRule, value: Tree): boolean {
  if (holds === 'texts') return textsOf(value) !== undefined
  if (holds === 'text map') return value.kind === 'object' && value.entries.every((entry) => entry.value.kind === 'text')
  return value.kind === holds
}
