/** The door for those who only want a model: the provider that the environment names, behind the ports of the engine and of the agent. */
import type { Model } from 'hookline'
import { type ChooseOptions, createAgentModel, isConfigured } from './model/choose.ts'
import { createHookModel } from './model/hook-model.ts'
import { filled } from './model/providers.ts'

/**
 * A model for `prompt` and `agent` hooks, as `createHookline({ model })` takes it. Without `model`, a hook that names none gets the provider's small one.
 * Nothing configured: `undefined`, and such hooks are skipped as "handler-not-available".
 * @throws ModelError when what is configured cannot be used.
 */
export async function createModel(options: ChooseOptions): Promise<Model | undefined> {
  if (filled(options.model) === undefined && !isConfigured(options.env)) return undefined
  const model = createAgentModel(options)
  return createHookModel(model, filled(options.model) === undefined ? {} : { fallback: model.name })
}

export { type ChooseOptions, createAgentModel, waysToAModel } from './model/choose.ts'
export { createHookModel } from './model/hook-model.ts'
export type { AgentModel, Finish, Message, ModelErrorKind, ModelEvent, ModelRequest, ToolSpec, Usage } from './model/port.ts'
export { ModelError } from './model/port.ts'
export type { RetryPolicy } from './model/retry.ts'
export { createScriptModel, type Script } from './model/script.ts'
