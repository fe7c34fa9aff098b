/** The providers: how each is configured by the environment, its documented default models, and how its SDK is opened. */
import type { LanguageModel } from 'ai'
import { ModelError } from './port.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A provider as the environment configures it. */
export interface Provider {
  id: 'anthropic' | 'openai' | 'google' | 'compatible' | 'ollama'
  /** For people. */
  title: string
  keyName: string
  secrets: readonly string[]
  baseURL: string
  /** Absent for servers of one's own: they must be told which of their models. */
  defaultModel?: string
  /** For hooks that think, where the hook names none: small and fast. */
  smallModel?: string
  /** Other spellings of its models. */
  aliases: Readonly<Record<string, string>>
  open(name: string): Promise<Exclude<LanguageModel, string>>
}

// Opus is what Claude Code starts with; the names behind aliases are the newest that the SDK lists.
const claude = { opus: 'claude-opus-5-5', sonnet: 'claude-sonnet-5-5', haiku: 'claude-haiku-5-5' }

/** Anthropic: ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL without `/v1`. */
export function anthropic(env: Env): Provider | undefined {
  const key = filled(env['ANTHROPIC_API_KEY'])
  const token = filled(env['ANTHROPIC_AUTH_TOKEN'])
  if (key === undefined && token === undefined) return undefined
  const baseURL = versioned(filled(env['ANTHROPIC_BASE_URL']) ?? 'https://api.anthropic.com')
  return {
    id: 'anthropic',
    title: 'Anthropic',
    keyName: token === undefined ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_AUTH_TOKEN',
    secrets: [key, token].filter((it) => it !== undefined),
    baseURL,
    defaultModel: filled(env['ANTHROPIC_MODEL']) ?? claude.opus,
    smallModel: filled(env['ANTHROPIC_DEFAULT_HAIKU_MODEL']) ?? filled(env['ANTHROPIC_SMALL_FAST_MODEL']) ?? claude.haiku,
    aliases: {
      ...claude,
      opus: filled(env['ANTHROPIC_DEFAULT_OPUS_MODEL']) ?? claude.opus,
      sonnet: filled(env['ANTHROPIC_DEFAULT_SONNET_MODEL']) ?? claude.sonnet,
      haiku: filled(env['ANTHROPIC_DEFAULT_HAIKU_MODEL']) ?? claude.haiku,
      default: claude.opus,
    },
    async open(name) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, ...(token === undefined ? { apiKey: key as string } : { authToken: token }) })(name)
    },
  }
}

/** OpenAI: OPENAI_API_KEY. With OPENAI_BASE_URL it is any server that speaks chat completions, and the key may be absent. */
export function openai(env: Env): Provider | undefined {
  const key = filled(env['OPENAI_API_KEY'])
  const base = filled(env['OPENAI_BASE_URL'])
  if (base !== undefined && hostOf(base) !== 'api.openai.com')
    return compatible({ id: 'compatible', title: 'The OpenAI-compatible server', baseURL: base, key, keyName: 'OPENAI_API_KEY' })
  if (key === undefined) return undefined
  const baseURL = base ?? 'https://api.openai.com/v1'
  return {
    id: 'openai',
    title: 'OpenAI',
    keyName: 'OPENAI_API_KEY',
    secrets: [key],
    baseURL,
    defaultModel: 'gpt-6-sol',
    smallModel: 'gpt-6-luna',
    aliases: {},
    async open(name) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL, apiKey: key })(name)
    },
  }
}

/** Google: GOOGLE_GENERATIVE_AI_API_KEY. */
export function google(env: Env): Provider | undefined {
  const key = filled(env['GOOGLE_GENERATIVE_AI_API_KEY'])
  if (key === undefined) return undefined
  const baseURL = filled(env['GOOGLE_GENERATIVE_AI_BASE_URL']) ?? 'https://generativelanguage.googleapis.com/v1beta'
  return {
    id: 'google',
    title: 'Google',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    secrets: [key],
    baseURL,
    defaultModel: 'gemini-pro-latest',
    smallModel: 'gemini-flash-latest',
    aliases: {},
    async open(name) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL, apiKey: key })(name)
    },
  }
}

/** Ollama: OLLAMA_HOST, or its usual place when a model is asked for as `ollama/NAME`. */
export function ollama(env: Env): Provider {
  const host = filled(env['OLLAMA_HOST']) ?? '127.0.0.1:11434'
  const baseURL = versioned(/^https?:\/\//.test(host) ? host : `http://${host}`)
  return compatible({ id: 'ollama', title: 'Ollama', baseURL, key: undefined, keyName: 'OLLAMA_HOST' })
}

/** The small model of a server of one's own is the model that was named for it. */
function compatible(server: { id: 'compatible' | 'ollama'; title: string; baseURL: string; key: string | undefined; keyName: string }): Provider {
  const { id, title, baseURL, key, keyName } = server
  return {
    id,
    title,
    keyName,
    secrets: key === undefined ? [] : [key],
    baseURL,
    aliases: {},
    async open(name) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ name: id, baseURL, includeUsage: true, ...(key === undefined ? {} : { apiKey: key }) })(name)
    },
  }
}

/** A variable that is set and not blank. */
export function filled(value: string | undefined): string | undefined {
  const text = value?.trim()
  return text === undefined || text === '' ? undefined : text
}

function versioned(base: string): string {
  const bare = base.replace(/\/+$/, '')
  return /\/v\d+\w*$/.test(bare) ? bare : `${bare}/v1`
}

/** Host and port of a base URL. @throws ModelError when it is none. */
export function hostOf(base: string): string {
  if (!URL.canParse(base))
    throw new ModelError('invalid_request', `The base URL "${base}" is not a URL.`, { hint: 'Write it whole, as in http://127.0.0.1:11434/v1.' })
  return new URL(base).host
}
