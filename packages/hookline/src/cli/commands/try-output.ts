/** `hookline try output`: how what a handler did is read for an event; starts nothing. */
import { type EventName, interpretAnswer } from '../../index.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { indented, shown } from '../render/shown.ts'
import { answerLines } from './batch.ts'

/** Options of `try output`. */
export interface TryOutputOptions extends GlobalOptions {
  batch?: true
  exit?: string
  stdout?: string
  stderr?: string
  hookType?: string
}
type Reading = ReturnType<typeof interpretAnswer>

/** @throws Failure, HooklineError. */
export async function tryOutput([event]: readonly (string | undefined)[], options: TryOutputOptions, { terminal }: CommandContext): Promise<Exit> {
  const cwd = folderOf(options)
  if (options.batch) return await answerLines(process.stdin, terminal, (line) => answer(line, cwd))
  if (event === undefined)
    throw new Failure('missing-argument', 'try output needs an event.', {
      hint: "For example: hookline try output PreToolUse --exit 2 --stderr 'not on Friday'",
    })
  const { exit = '0', stdout = '', stderr = '', hookType } = options
  if (!/^\d{1,3}$/.test(exit) || Number(exit) > 255)
    throw new Failure('invalid-option', `--exit: "${exit}" is not an exit code.`, { hint: 'Exit codes are 0 to 255.' })
  const found = answer({ event, run: runOf({ exit: Number(exit), stdout, stderr, hookType }), ...(hookType === undefined ? {} : { hookType }) }, cwd)
  terminal.show(found, () => words(found))
  return exits.goOn
}

/** The short form in the words of the handler: a body for http, a reply for a model. */
function runOf({ exit, stdout, stderr, hookType }: { exit: number; stdout: string; stderr: string; hookType: string | undefined }): object {
  if (hookType === 'http') return { status: 200, body: stdout, contentType: 'application/json' }
  if (hookType === 'prompt' || hookType === 'agent') return { modelText: stdout }
  return { exit, stdout, stderr }
}

function answer(line: Readonly<Record<string, unknown>>, cwd: string): Reading {
  const { event, hookType, run, mode, value, policy } = line
  if (typeof event !== 'string') throw new Failure('missing-event', '"event" must be the name of an event.')
  if (hookType !== undefined && typeof hookType !== 'string') throw new Failure('invalid-option', '"hookType" must be a text.')
  if (mode !== undefined && mode !== 'interactive' && mode !== 'noninteractive')
    throw new Failure('invalid-option', '"mode" must be "interactive" or "noninteractive".')
  if (value !== undefined && typeof value !== 'string') throw new Failure('invalid-option', '"value" must be a text.')
  if (policy !== undefined && (typeof policy !== 'object' || policy === null)) throw new Failure('invalid-option', '"policy" must be an object.')
  return interpretAnswer(event as EventName, run as Parameters<typeof interpretAnswer>[1], {
    cwd,
    ...(hookType === undefined ? {} : { hookType }),
    ...(mode === undefined ? {} : { mode }),
    ...(value === undefined ? {} : { value }),
    ...(policy === undefined ? {} : { policy }),
  })
}

function words({ decision, error, reason, context, failClosed }: Reading): string {
  const lines = [`decision: ${decision}`]
  if (reason !== undefined) lines.push(`reason: ${indented(shown(reason), 2)}`)
  if (context !== undefined) lines.push(`context: ${indented(shown(context), 2)}`)
  lines.push(`hook failure: ${error ? 'yes' : 'no'}`)
  if (failClosed !== decision) lines.push(`with "onFailure": "block": ${failClosed}`)
  return lines.join('\n')
}
