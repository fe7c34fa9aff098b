/** Finds a model for hooks that need one: that of `@hookline/agent`, when it is installed beside this command, and says so when it is not. */
import type { EventName, HookInfo, Model } from '../index.ts'
import { type Hookline, provideModel } from '../node.ts'
import { count, shownLine } from './render/shown.ts'

interface ModelDoor {
  readonly createModel: (options: { env: Readonly<Record<string, string | undefined>> }) => Promise<Model | undefined>
}

type Skippable = HookInfo & { readonly status: string; readonly skipped?: { readonly why: string } }

const thinking: ReadonlySet<string> = new Set(['prompt', 'agent'])

/**
 * Brings a model to a Hookline whose hooks of this event need one. Gives why there is none, `''` when there is one or none is needed.
 * Only what is installed beside the command is loaded: a project's own packages would be code of that folder.
 */
export async function bringModel(hookline: Hookline, event: EventName): Promise<string> {
  if (!hookline.list({ event }).some(needsModel)) return ''
  try {
    // The name stands in a variable, since the package is no part of this one and need not be there.
    const name = '@hookline/agent/model'
    const door = (await import(name)) as ModelDoor
    const model = await door.createModel({ env: process.env })
    if (model === undefined) return 'no model is configured. Set a key of a provider, for example ANTHROPIC_API_KEY, or name a model in HOOKLINE_MODEL.'
    provideModel(hookline, model)
    return ''
  } catch (error) {
    return isAbsent(error)
      ? 'the package @hookline/agent, which brings models, is not installed beside hookline. Install it with "npm install @hookline/agent".'
      : `the model of @hookline/agent cannot be used: ${wordsOf(error)}`
  }
}

/** The note for hooks that were left out for want of a model; `''` when there are none. */
export function modelNote(hooks: readonly Skippable[], why: string): string {
  const left = hooks.filter((hook) => thinking.has(hook.type) && hook.status === 'skipped' && hook.skipped?.why === 'handler-not-available')
  return why === '' || left.length === 0 ? '' : `${count(left.length, 'hook')} left out for want of a model: ${why}`
}

/** A hook that nobody vouched for does not run, so it needs no model either. */
function needsModel({ type, trust }: HookInfo): boolean {
  return thinking.has(type) && trust !== 'untrusted' && trust !== 'changed'
}

function isAbsent(error: unknown): boolean {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && /'@hookline\/agent['/]/.test(message)
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw something that is no error'
  const { hint } = error as { hint?: unknown }
  return shownLine(typeof hint === 'string' ? `${error.message} ${hint}` : error.message, 600)
}
