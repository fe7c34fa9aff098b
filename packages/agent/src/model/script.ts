/** `script:FILE`: plays recorded turns instead of asking a model, for demonstrations and tests; it always says that it is a script. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { failureOf } from './errors.ts'
import { textOf } from './messages.ts'
import { type AgentModel, type Message, ModelError, type ModelEvent, type ModelRequest } from './port.ts'

const block = z.union([z.strictObject({ text: z.string() }), z.strictObject({ tool: z.string(), input: z.unknown() })])
const timing = { delayMs: z.number().min(0).optional(), stopReason: z.string().optional(), inputTokens: z.number().int().min(0).optional() }
const turn = z.union([
  z.string(),
  z.array(block),
  z.strictObject({ text: z.string(), ...timing }),
  z.strictObject({ blocks: z.array(block), ...timing }),
  z.strictObject({ status: z.number().int(), errorType: z.string().optional(), message: z.string().optional(), delayMs: timing.delayMs }),
])
const route = z.strictObject({
  name: z.string(),
  when: z.strictObject({ first: z.string().optional(), last: z.string().optional(), tools: z.enum(['none', 'some']).optional() }),
  turns: z.array(turn),
  repeatLast: z.boolean().optional(),
})
const script = z.object({ modelTurns: z.array(turn), routes: z.array(route).optional() })

type Turn = z.output<typeof turn>
type Block = z.output<typeof block>
type Route = z.output<typeof route>
export type Script = z.output<typeof script>

/**
 * Opens a script file: `{modelTurns, routes?}`, or only the list of turns. `${CWD}` in its texts is the current directory.
 * @throws ModelError `invalid_request` when it cannot be read or is no script.
 */
export function openScript(file: string, cwd: string = process.cwd()): AgentModel {
  const path = resolve(cwd, file)
  return createScriptModel(parseScript(read(path), path, cwd), basename(path))
}

/** A script that is already in memory; `name` is for the label. */
export function createScriptModel(played: Script, name: string): AgentModel {
  const places = new Map<string, number>()
  let calls = 0
  const model: AgentModel = {
    name: 'script',
    label: `script ${name} (not a model)`,
    // A subagent or hook that asks for another model gets the script too: there is nothing else.
    named: () => model,
    stream: (request, { signal }) => play(next(request), () => `toolu_script_${String(++calls).padStart(4, '0')}`, { request, signal, name }),
  }
  return model

  function next(request: ModelRequest): Turn {
    const chosen = (played.routes ?? []).find((it) => fits(it, request))
    if (chosen === undefined && request.purpose === 'compact') return '<summary>SUMMARY</summary>'
    const key = chosen?.name ?? ''
    const turns = chosen?.turns ?? played.modelTurns
    const at = places.get(key) ?? 0
    places.set(key, at + 1)
    return turns[at] ?? (chosen === undefined ? undefined : turns.at(-1)) ?? 'END-OF-SCRIPT'
  }
}

async function* play(
  chosen: Turn,
  nextId: () => string,
  { request, signal, name }: { request: ModelRequest; signal: AbortSignal; name: string },
): AsyncGenerator<ModelEvent> {
  const { delayMs, stopReason, inputTokens } = extrasOf(chosen)
  if (delayMs !== undefined) await sleep(delayMs, undefined, { signal }).catch(() => undefined)
  signal.throwIfAborted()
  if (typeof chosen === 'object' && 'status' in chosen) throw scriptedFailure(chosen, name)
  const blocks = blocksOf(chosen)
  for (const [at, it] of blocks.entries()) {
    if ('text' in it) for (const text of it.text.match(/\s*\S+\s*/g) ?? [it.text]) yield { kind: 'text', text, block: String(at) }
    else yield { kind: 'tool', id: nextId(), name: it.tool, input: it.input }
  }
  const calls = blocks.some((it) => 'tool' in it)
  const reason = stopReason ?? (calls ? 'tool_use' : 'end_turn')
  const finish = reason === 'max_tokens' ? 'length' : reason === 'refusal' ? 'refused' : calls ? 'tool-calls' : 'stop'
  yield {
    kind: 'end',
    finish,
    usage: { input: inputTokens ?? lengthOf(request), output: Math.ceil(JSON.stringify(blocks).length / 4) },
    model: 'script',
    stopReason: reason,
  }
}

function extrasOf(chosen: Turn): { delayMs?: number | undefined; stopReason?: string | undefined; inputTokens?: number | undefined } {
  return typeof chosen === 'object' && !Array.isArray(chosen) ? chosen : {}
}

function blocksOf(chosen: Exclude<Turn, { status: number }>): readonly Block[] {
  if (typeof chosen === 'string') return [{ text: chosen }]
  if (Array.isArray(chosen)) return chosen
  return 'blocks' in chosen ? chosen.blocks : [{ text: chosen.text }]
}

/** A scripted HTTP error means what it would mean from a provider. */
function scriptedFailure(chosen: Extract<Turn, { status: number }>, name: string): ModelError {
  const responseBody = JSON.stringify({ error: { type: chosen.errorType ?? 'error', message: chosen.message ?? 'a scripted error' } })
  return failureOf({ statusCode: chosen.status, responseBody }, { provider: 'The script', model: name, address: name, keyName: 'nothing', secrets: [] }).error
}

function fits({ when }: Route, request: ModelRequest): boolean {
  if (when.tools !== undefined && (request.tools.length > 0 ? 'some' : 'none') !== when.tools) return false
  if (when.first !== undefined && !new RegExp(when.first, 's').test(text(request.messages.find((it) => it.role === 'user')))) return false
  return when.last === undefined || new RegExp(when.last, 's').test(text(request.messages.at(-1)))
}

function text(message: Message | undefined): string {
  const texts = message?.content.map((it) => (it.type === 'text' ? textOf(it) : it.type === 'tool_result' ? it.content : ''))
  return texts?.join('\n') ?? ''
}

function lengthOf(request: ModelRequest): number {
  return Math.ceil((request.system.length + request.messages.reduce((sum, it) => sum + text(it).length, 0)) / 4)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message
    throw new ModelError('invalid_request', `The script ${path} cannot be read: ${why}.`, { hint: 'Name a JSON file with --model script:FILE.' })
  }
}

const form = 'It holds {"modelTurns": [...]}; a turn is a text, a list of {"text"} and {"tool", "input"} blocks, or {"status"} for an error.'

/** @throws ModelError that names the place in the script. */
export function parseScript(source: string, path: string, cwd: string): Script {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    // The words of the parser quote the text, line breaks included.
    throw new ModelError('invalid_request', `The script ${path} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}.`, { hint: form })
  }
  const found = script.safeParse(fillIn(Array.isArray(value) ? { modelTurns: value } : value, cwd))
  if (found.success) {
    for (const it of found.data.routes ?? []) for (const pattern of [it.when.first, it.when.last]) checkPattern(pattern, it.name, path)
    return found.data
  }
  const issue = found.error.issues[0]
  throw new ModelError('invalid_request', `The script ${path} is not a script: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`, {
    hint: form,
  })
}

function checkPattern(pattern: string | undefined, name: string, path: string): void {
  try {
    if (pattern !== undefined) new RegExp(pattern, 's')
  } catch (error) {
    throw new ModelError('invalid_request', `The script ${path} is not a script: route "${name}": ${(error as Error).message}.`)
  }
}

function fillIn(value: unknown, cwd: string): unknown {
  if (typeof value === 'string') return value.replaceAll('${CWD}', cwd)
  if (Array.isArray(value)) return value.map((it) => fillIn(it, cwd))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, fillIn(it, cwd)]))
}
