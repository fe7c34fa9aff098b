/** Which model is asked: what `--model` says, else what the environment configures, else a message that lists the ways. */
import { createSdkModel } from './ai-sdk.ts'
import { type AgentModel, ModelError } from './port.ts'
import { anthropic, type Env, filled, google, hostOf, ollama, openai, type Provider } from './providers.ts'
import type { RetryPolicy } from './retry.ts'
import { openScript } from './script.ts'

export interface ChooseOptions {
  env: Env
  /** As written by the person: `script:FILE`, `provider/name`, a provider's model name, or an alias such as `sonnet`. */
  model?: string
  /** Where a relative script file is looked for; default the current directory. */
  cwd?: string
  retry?: RetryPolicy
}

/** What to do when no model is configured; every way that works. */
export const waysToAModel = [
  'The ways to one:',
  '  ANTHROPIC_API_KEY             Anthropic; with ANTHROPIC_BASE_URL a server of your own',
  '  OPENAI_API_KEY                OpenAI',
  '  GOOGLE_GENERATIVE_AI_API_KEY  Google',
  '  OPENAI_BASE_URL, --model NAME any server that speaks chat completions',
  '  --model ollama/NAME           a model of a local Ollama',
  '  --model script:FILE           recorded turns in the place of a model',
  'HOOKLINE_MODEL says what --model says.',
].join('\n')

/**
 * The agent's model.
 * @throws ModelError `invalid_request` when none is configured, `model_not_found` when the name belongs to none, `authentication_failed` without a key.
 */
export function createAgentModel(options: ChooseOptions): AgentModel {
  const { env } = options
  const wanted = filled(options.model) ?? filled(env['HOOKLINE_MODEL'])
  if (wanted?.startsWith('script:')) return openScript(wanted.slice('script:'.length), options.cwd)
  const { provider, name } = wanted === undefined ? byDefault(env) : byName(wanted, env)
  return modelOf(provider, name, options.retry)
}

/** Whether a model could be made without an error. */
export function isConfigured(env: Env): boolean {
  return filled(env['HOOKLINE_MODEL']) !== undefined || configured(env).some((it) => it.defaultModel !== undefined)
}

interface Choice {
  provider: Provider
  name: string
}

function configured(env: Env): Provider[] {
  const found = [anthropic(env), openai(env), google(env), filled(env['OLLAMA_HOST']) === undefined ? undefined : ollama(env)]
  return found.filter((it) => it !== undefined)
}

function byDefault(env: Env): Choice {
  const providers = configured(env)
  for (const provider of providers) if (provider.defaultModel !== undefined) return { provider, name: provider.defaultModel }
  const own = providers[0]
  if (own !== undefined)
    throw new ModelError('invalid_request', `${own.title} at ${hostOf(own.baseURL)} has no default model.`, {
      hint: 'Name one of its models with --model NAME.',
    })
  throw new ModelError('invalid_request', 'No model is configured.', { hint: waysToAModel })
}

const prefixes: Readonly<Record<string, { title: string; key: string; find: (env: Env) => Provider | undefined }>> = {
  anthropic: { title: 'Anthropic', key: 'ANTHROPIC_API_KEY', find: anthropic },
  openai: { title: 'OpenAI', key: 'OPENAI_API_KEY', find: openai },
  google: { title: 'Google', key: 'GOOGLE_GENERATIVE_AI_API_KEY', find: google },
  ollama: { title: 'Ollama', key: 'OLLAMA_HOST', find: ollama },
}

/** Names that say by themselves whose they are. */
const families: readonly [RegExp, keyof typeof prefixes & string][] = [
  [/^(claude-|(opus|sonnet|haiku|default)$)/, 'anthropic'],
  [/^(gpt-|chatgpt-|codex-|o\d)/, 'openai'],
  [/^(gemini-|gemma-)/, 'google'],
]

function byName(wanted: string, env: Env): Choice {
  const slash = /^([a-z]+)[/:](.+)$/s.exec(wanted)
  const prefix = slash?.[1] !== undefined && Object.hasOwn(prefixes, slash[1]) ? slash[1] : undefined
  if (prefix !== undefined && slash?.[2] !== undefined) return of(prefix, slash[2], env)
  const family = families.find(([pattern]) => pattern.test(wanted))?.[1]
  const own = configured(env).find((it) => it.id === 'compatible')
  // A server of one's own may give its models any name, a famous one too: it goes first, except before the provider that the name belongs to.
  if (family !== undefined && (own === undefined || prefixes[family]?.find(env) !== undefined)) return of(family, wanted, env)
  const only = own ?? configured(env).find((it) => it.defaultModel === undefined) ?? configured(env)[0]
  if (only === undefined) throw new ModelError('invalid_request', `No provider is configured for the model "${wanted}".`, { hint: waysToAModel })
  return { provider: only, name: only.aliases[wanted] ?? wanted }
}

function of(prefix: string, name: string, env: Env): Choice {
  const row = prefixes[prefix]
  const provider = row?.find(env)
  if (row === undefined || provider === undefined)
    throw new ModelError('authentication_failed', `The model "${name}" is one of ${row?.title ?? prefix}, and there is no key for it.`, {
      hint: `Set ${row?.key}.`,
    })
  return { provider, name: provider.aliases[name] ?? name }
}

function modelOf(provider: Provider, name: string, retry: RetryPolicy | undefined): AgentModel {
  const address = hostOf(provider.baseURL)
  return createSdkModel({
    name,
    label: `${provider.id} ${name}`,
    ...(provider.smallModel === undefined ? {} : { small: provider.smallModel }),
    asked: { provider: provider.title, address, keyName: provider.keyName, secrets: provider.secrets },
    open: provider.open,
    cache: provider.id === 'anthropic',
    // Servers of one's own take a text from a tool and nothing else.
    media: provider.id !== 'compatible' && provider.id !== 'ollama',
    ...(provider.id === 'anthropic' ? { maxOutputTokens: 32_000 } : {}),
    ...(retry === undefined ? {} : { retry }),
    named: (other) => modelOf(provider, sameProvider(other, provider), retry),
  })
}

/** Another name of the same provider; the names of other families are refused before anything is sent. */
function sameProvider(wanted: string, provider: Provider): string {
  const bare = wanted.startsWith(`${provider.id}/`) ? wanted.slice(provider.id.length + 1) : wanted
  const name = provider.aliases[bare] ?? bare
  const family = families.find(([pattern]) => pattern.test(name))?.[1]
  if (family !== undefined && family !== provider.id && provider.id in prefixes && provider.id !== 'ollama')
    throw new ModelError('model_not_found', `"${wanted}" is a model of ${prefixes[family]?.title}, and this session uses ${provider.title}.`, {
      hint: `Start with --model ${wanted} to change the provider.`,
    })
  return name
}
