/** Changes the model of a session: PreModelSwitch may refuse it, PostModelSwitch is told of it. */
import { ModelError } from '../model/port.ts'
import type { SessionHandle } from '../session/handle.ts'

export interface Switched {
  changed: boolean
  /** For the person. */
  text: string
}

/** How a person answers a hook that asks; absent: an ask is a refusal. */
export type ConfirmSwitch = (reason: string) => Promise<boolean>

// PostModelSwitch gets this long before the next request goes out without its context.
const postWaitMs = 5_000

/** Switches to the model that `requested` names. */
export async function switchModel(
  session: SessionHandle,
  requested: string,
  options: { source: 'command' | 'picker' | 'sdk'; confirm?: ConfirmSwitch },
): Promise<Switched> {
  const { conversation, scope } = session
  let model: typeof conversation.model
  try {
    model = conversation.model.named(requested)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { changed: false, text: `${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}` }
  }
  const from = conversation.modelName ?? conversation.model.name
  if (model.name === from) return { changed: false, text: `The model is ${from} already.` }
  const facts = {
    from_model: from,
    to_model: model.name,
    requested_model: requested,
    source: options.source,
    context_tokens: conversation.tokens,
    prompt_cache_warm: conversation.tokens > 0,
    cache_ttl: '5m' as const,
    // No price list is built in: what a switch costs is not known here.
    estimated_cache_write_usd: 0,
    pricing: 'default' as const,
  }
  const before = await scope.fire('PreModelSwitch', facts)
  const reason = before.permission.reason ?? before.reason ?? ''
  const refused = before.blocked || (before.permission.behavior === 'ask' && (await options.confirm?.(reason)) !== true)
  if (refused) return { changed: false, text: `The model stays ${from}: a hook refused the change${reason === '' ? '' : `: ${reason}`}.` }
  conversation.model = model
  conversation.modelName = model.name
  session.emit({ kind: 'model', from, to: model.name })
  const told = scope.fire('PostModelSwitch', facts).then(
    (verdict) => {
      if (verdict.toModel !== '') conversation.reminders.push(verdict.toModel)
      if (verdict.toUser !== '') session.emit({ kind: 'notice', level: 'info', text: verdict.toUser })
    },
    () => {},
  )
  await Promise.race([told, new Promise((done) => setTimeout(done, postWaitMs).unref())])
  return { changed: true, text: `The model is ${model.label} now.` }
}
