/** Which model is asked: names, keys and base URLs; and what is said when there is none. */
import { describe, expect, it } from 'vitest'
import { createAgentModel, waysToAModel } from '../../src/model/choose.ts'
import { ModelError } from '../../src/model/port.ts'
import { createModel } from '../../src/model.ts'

const anthropic = { ANTHROPIC_API_KEY: 'k1' }
const openai = { OPENAI_API_KEY: 'k2' }
const google = { GOOGLE_GENERATIVE_AI_API_KEY: 'k3' }
const own = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }

describe('a model', () => {
  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['of Anthropic by its key', anthropic, undefined, 'anthropic claude-opus-5-5'],
    ['of Anthropic by a token', { ANTHROPIC_AUTH_TOKEN: 't' }, undefined, 'anthropic claude-opus-5-5'],
    ['of Anthropic as ANTHROPIC_MODEL says', { ...anthropic, ANTHROPIC_MODEL: 'claude-sonnet-5' }, undefined, 'anthropic claude-sonnet-5'],
    ['of OpenAI by its key', openai, undefined, 'openai gpt-6-sol'],
    ['of Google by its key', google, undefined, 'google gemini-pro-latest'],
    ['of the first provider, when there are several', { ...google, ...anthropic }, undefined, 'anthropic claude-opus-5-5'],
    ['by an alias', anthropic, 'sonnet', 'anthropic claude-sonnet-5-5'],
    ['by an alias that the environment explains', { ...anthropic, ANTHROPIC_DEFAULT_HAIKU_MODEL: 'h' }, 'haiku', 'anthropic h'],
    ['by a name that says whose it is', { ...anthropic, ...openai }, 'gpt-5.5', 'openai gpt-5.5'],
    ['by provider and name', { ...anthropic, ...google }, 'google/gemini-flash-latest', 'google gemini-flash-latest'],
    ['by provider and alias', anthropic, 'anthropic/opus', 'anthropic claude-opus-5-5'],
    ['of a local Ollama, without any key', {}, 'ollama/llama3.2:3b', 'ollama llama3.2:3b'],
    ['of a server of one’s own', own, 'meta-llama/Llama-4', 'compatible meta-llama/Llama-4'],
    ['of a server of one’s own, with a famous name', own, 'gpt-4o', 'compatible gpt-4o'],
    ['of OpenAI although its base URL is written out', { ...openai, OPENAI_BASE_URL: 'https://api.openai.com/v1' }, undefined, 'openai gpt-6-sol'],
    ['named in the environment', { ...anthropic, HOOKLINE_MODEL: 'haiku' }, undefined, 'anthropic claude-haiku-5-5'],
    ['named by the person, before the environment', { ...anthropic, HOOKLINE_MODEL: 'haiku' }, 'opus', 'anthropic claude-opus-5-5'],
    ['with a new name of the one provider', anthropic, 'fable-next', 'anthropic fable-next'],
    ['and a blank key is no key', { ANTHROPIC_API_KEY: ' ', ...openai }, undefined, 'openai gpt-6-sol'],
  ])('%s', (_title, env, model, label) => {
    expect(createAgentModel({ env, ...(model === undefined ? {} : { model }) }).label).toBe(label)
  })

  it.each<[string, Record<string, string>, string | undefined, string, RegExp, RegExp]>([
    [
      'nothing is configured',
      {},
      undefined,
      'invalid_request',
      /^No model is configured\.$/,
      /ANTHROPIC_API_KEY.*OPENAI_API_KEY.*GOOGLE_GENERATIVE_AI_API_KEY.*OPENAI_BASE_URL.*ollama\/NAME.*script:FILE/s,
    ],
    [
      'a model is named and no provider is configured',
      {},
      'some-model',
      'invalid_request',
      /No provider is configured for the model "some-model"/,
      /ANTHROPIC_API_KEY/,
    ],
    [
      'a model is named whose provider has no key',
      openai,
      'opus',
      'authentication_failed',
      /"opus" is one of Anthropic, and there is no key/,
      /Set ANTHROPIC_API_KEY\./,
    ],
    ['a server of one’s own is not told which model', own, undefined, 'invalid_request', /at 127\.0\.0\.1:9 has no default model/, /--model NAME/],
    [
      'the base URL is none',
      { ...anthropic, ANTHROPIC_BASE_URL: 'localhost' },
      undefined,
      'invalid_request',
      /base URL "localhost\/v1" is not a URL/,
      /Write it whole/,
    ],
    [
      'the script is not there',
      {},
      'script:/nowhere/x.json',
      'invalid_request',
      /^The script \/nowhere\/x\.json cannot be read: there is no such file\.$/,
      /script:FILE/,
    ],
  ])('when %s is refused with what to do', (_title, env, model, kind, message, hint) => {
    const make = () => createAgentModel({ env, ...(model === undefined ? {} : { model }) })
    expect(make).toThrow(ModelError)
    expect(make).toThrow(expect.objectContaining({ kind, message: expect.stringMatching(message), hint: expect.stringMatching(hint) }))
  })

  it('may be another of the same provider, and not one of another', () => {
    const model = createAgentModel({ env: anthropic })
    expect([model.named('haiku').name, model.named('claude-x').name, model.small]).toEqual(['claude-haiku-5-5', 'claude-x', 'claude-haiku-5-5'])
    expect(() => model.named('gpt-5.5')).toThrow(
      expect.objectContaining({ kind: 'model_not_found', hint: 'Start with --model gpt-5.5 to change the provider.' }),
    )
  })

  it('for hooks is absent when nothing is configured, so that they are skipped', async () => {
    expect(await createModel({ env: {} })).toBeUndefined()
    expect(await createModel({ env: own })).toBeUndefined()
    expect(await createModel({ env: anthropic })).toBeTypeOf('function')
    expect(waysToAModel).toContain('ANTHROPIC_API_KEY')
  })
})
