/** An `AgentModel` over the AI SDK: one request, one streamed answer; no tool is run here and nothing is printed. */
import type { LanguageModel, ToolSet } from 'ai'
import { type Asked, cutOff, type Failure, failureOf, noStream } from './errors.ts'
import { toModelMessages } from './messages.ts'
import type { AgentModel, Finish, ModelEvent, ModelRequest } from './port.ts'
import { defaultRetries, type RetryPolicy, withRetries } from './retry.ts'

// The SDK writes its warnings to stdout, where the command's JSON goes.
;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false

/** A model object of a provider, made when it is first asked: SDKs are slow to load. Never a bare name, which the SDK would send to a gateway. */
export type OpenModel = (name: string) => Promise<Exclude<LanguageModel, string>>

export interface SdkModelOptions {
  name: string
  label: string
  small?: string
  asked: Omit<Asked, 'model'>
  open: OpenModel
  /** For models that must be told; others use the provider's own limit. */
  maxOutputTokens?: number
  /** Marks the system text and the last message as worth caching (Anthropic). */
  cache?: boolean
  /** Takes pictures and PDFs in the results of tools. */
  media?: boolean
  retry?: RetryPolicy
  /** What another name means for this provider; throws `ModelError`. */
  named: (name: string) => AgentModel
}

/** The answer comes in one step: calls of tools are handed out, and the caller runs them. */
export function createSdkModel(options: SdkModelOptions): AgentModel {
  return {
    name: options.name,
    label: options.label,
    ...(options.small === undefined ? {} : { small: options.small }),
    named: options.named,
    stream(request, { signal }) {
      if (request.model !== undefined && request.model !== options.name) {
        const other = options.named(request.model)
        if (other.name !== options.name) return other.stream(request, { signal })
      }
      const asked: Asked = { ...options.asked, model: options.name }
      return withRetries(
        () => answerOf(request, { options, asked, signal }),
        (thrown) => judge(thrown, asked),
        { policy: options.retry ?? defaultRetries, signal },
      )
    },
  }
}

/** The stream ended without the provider's word for why. */
class Cut extends Error {}

/** What came was no stream of events. */
class NoStream extends Error {
  readonly contentType: string
  constructor(contentType: string) {
    super('no stream')
    this.contentType = contentType
  }
}

function judge(thrown: unknown, asked: Asked): Failure {
  if (thrown instanceof NoStream) return noStream(thrown.contentType, asked)
  return thrown instanceof Cut ? cutOff(asked) : failureOf(thrown, asked)
}

interface Answering {
  readonly options: SdkModelOptions
  readonly asked: Asked
  readonly signal: AbortSignal
}

async function* answerOf(request: ModelRequest, { options, asked, signal }: Answering): AsyncGenerator<ModelEvent> {
  signal.throwIfAborted()
  const { streamText, wrapLanguageModel } = await import('ai')
  const maxOutputTokens = request.maxOutputTokens ?? options.maxOutputTokens
  let contentType = ''
  let began = false
  const model = wrapLanguageModel({
    model: (await options.open(asked.model)) as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      specificationVersion: 'v3',
      async wrapStream({ doStream }) {
        const answer = await doStream()
        contentType = answer.response?.headers?.['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
        return answer
      },
    },
  })
  const result = streamText({
    model,
    ...promptOf(request, options),
    ...(request.tools.length > 0 ? { tools: await toolsOf(request), toolChoice: request.toolChoice ?? 'auto' } : {}),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    maxRetries: 0,
    abortSignal: signal,
    // The default prints.
    onError: () => {},
  })
  try {
    for await (const part of result.fullStream) {
      began ||= part.type === 'text-delta' || part.type === 'tool-call'
      if (part.type === 'text-delta' && part.text !== '') yield { kind: 'text', text: part.text, block: part.id }
      else if (part.type === 'tool-call') {
        const signature = part.providerMetadata?.['google']?.['thoughtSignature']
        yield { kind: 'tool', id: part.toolCallId, name: part.toolName, input: part.input, ...(typeof signature === 'string' ? { signature } : {}) }
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'abort') break
      else if (part.type === 'finish-step') {
        if (part.rawFinishReason === undefined && (part.finishReason === 'other' || part.finishReason === 'error')) throw new Cut()
        yield {
          kind: 'end',
          finish: finishOf(part.finishReason),
          usage: { input: part.usage.inputTokens ?? 0, output: part.usage.outputTokens ?? 0 },
          model: part.response.modelId || asked.model,
          ...(part.rawFinishReason === undefined ? {} : { stopReason: part.rawFinishReason }),
        }
        return
      }
    }
    signal.throwIfAborted()
    throw new Cut()
  } catch (error) {
    signal.throwIfAborted()
    // A server that answers with a page has no events to break off.
    throw began || contentType === '' || contentType === 'text/event-stream' ? error : new NoStream(contentType)
  }
}

/** Whatever the model sends is checked by the tool's own schema, where hooks and people can see what was wrong with it. */
async function toolsOf(request: ModelRequest): Promise<ToolSet> {
  const { jsonSchema, tool } = await import('ai')
  return Object.fromEntries(
    request.tools.map((spec) => [
      spec.name,
      tool({ description: spec.description, inputSchema: jsonSchema(spec.inputSchema as Parameters<typeof jsonSchema>[0]) }),
    ]),
  )
}

function promptOf(
  request: ModelRequest,
  { cache = false, media = false }: Pick<SdkModelOptions, 'cache' | 'media'>,
): Pick<Parameters<typeof import('ai').streamText>[0], 'system'> & { messages: ReturnType<typeof toModelMessages> } {
  const messages = toModelMessages(request.messages, { media })
  if (!cache) return { ...(request.system === '' ? {} : { system: request.system }), messages }
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const last = messages.at(-1)
  if (last !== undefined) messages[messages.length - 1] = { ...last, providerOptions }
  return { ...(request.system === '' ? {} : { system: { role: 'system', content: request.system, providerOptions } }), messages }
}

function finishOf(reason: string): Finish {
  if (reason === 'tool-calls' || reason === 'length') return reason
  return reason === 'content-filter' ? 'refused' : 'stop'
}
