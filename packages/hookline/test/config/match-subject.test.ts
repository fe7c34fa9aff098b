/** The value that matchers look at. */
import { describe, expect, test } from 'vitest'
import { canonicalModel, matchSubject } from '../../src/config/match-subject.ts'
import { events } from '../../src/protocol/events.ts'

describe('of an event', () => {
  const rows: [name: string, row: Parameters<typeof matchSubject>[0], input: Record<string, unknown>, value: string | undefined][] = [
    ['is the match field', events.PreToolUse, { tool_name: 'Bash' }, 'Bash'],
    ['may be empty', events.SubagentStop, { agent_type: '' }, ''],
    ['is absent where there is no match field', events.Stop, { tool_name: 'Bash' }, undefined],
    ['is absent when the field is', events.PreToolUse, {}, undefined],
    ['is absent when the field is no text', events.PreToolUse, { tool_name: 7 }, undefined],
    ['is not taken from the prototype', events.PreToolUse, Object.create({ tool_name: 'Bash' }), undefined],
    ['of a file is its name', events.FileChanged, { file_path: '/a/b/.env' }, '.env'],
    ['of a file on Windows is its name', events.FileChanged, { file_path: 'C:\\a\\.env' }, '.env'],
    ['of a model is its canonical name', events.PreModelSwitch, { to_model: 'anthropic/claude-opus-4-1-20250805' }, 'claude-opus-4-1'],
  ]
  test.each(rows)('%s', (_name, row, input, value) => {
    expect(matchSubject(row, input)).toBe(value)
  })
})

describe('the canonical name of a model', () => {
  const rows: [string, string | undefined][] = [
    ['claude-opus-4-1', 'claude-opus-4-1'],
    ['claude-opus-4-1[1m]', 'claude-opus-4-1'],
    ['claude-opus-4-1-20250805', 'claude-opus-4-1'],
    ['claude-opus-4-1@20250805', 'claude-opus-4-1'],
    ['claude-opus-4-1@20250805[1m]', 'claude-opus-4-1'],
    ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/abc123', undefined],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku'],
    ['gpt-5', 'gpt-5'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['', undefined],
  ]
  test.each(rows)('%s is %s', (name, canonical) => {
    expect(canonicalModel(name)).toBe(canonical)
  })
})
