/** Every recorded case of what a handler did, read by `interpretAnswer`. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type InterpretOptions, interpretAnswer } from '../../src/engine/interpret-answer.ts'
import { type Run, rawOf } from '../../src/engine/interpret-run.ts'
import type { EventName } from '../../src/protocol/event-types.ts'
import { read } from './interpret-setup.ts'

interface Case {
  id: string
  kind: string
  event: EventName
  hookType: string
  run: Run
  value?: string
  mode?: InterpretOptions['mode']
  strict?: string
  why: string
  failClosed: string
  expect: {
    decision: string
    error: boolean | null
    reason?: string | null
    context?: string | null
    contextMaxChars?: number
    reasonMaxChars?: number
    never?: string[]
    notice?: string
    warn?: boolean
    updatedInput?: unknown
    display?: string
    retry?: boolean
    modeChange?: boolean
  }
}

const file = new URL('../data/cases/outputs.json', import.meta.url)
const text = readFileSync(file, 'utf8').replaceAll('{dir}', '/srv/dir').replaceAll('{repo}', '/srv/repo')
const { cases } = JSON.parse(text) as { cases: Case[] }

describe('interpretAnswer reads every recorded run as its row says', () => {
  it('has rows of every kind', () => {
    expect(new Set(cases.map((row) => row.kind)).size).toBeGreaterThanOrEqual(13)
  })

  it.each(cases.map((row) => [`${row.id} ${row.event}: ${row.why}`, row] as const))('%s', (_, row) => {
    const read = interpretAnswer(row.event, row.run, {
      hookType: row.hookType,
      ...(row.mode === undefined ? {} : { mode: row.mode }),
      ...(row.value === undefined ? {} : { value: row.value }),
    })
    const { expect: wanted } = row
    // `strict` wins over `expect` where present, and the hook then failed.
    expect(read.decision).toBe(row.strict ?? wanted.decision)
    const error = row.strict === undefined ? wanted.error : true
    if (error !== null) expect(read.error).toBe(error)
    if (wanted.reason !== undefined) expect(read.reason ?? null).toBe(wanted.reason)
    if (wanted.context !== undefined) expect(read.context ?? null).toBe(wanted.context)
    if (wanted.contextMaxChars !== undefined) expect(read.context?.length).toBeLessThanOrEqual(wanted.contextMaxChars)
    if (wanted.reasonMaxChars !== undefined) expect(read.reason?.length).toBeLessThanOrEqual(wanted.reasonMaxChars)
    expect(wanted.never ?? []).not.toContain(read.decision)
    expect(read.failClosed).toBe(row.failClosed)
  })

  const detailed = cases.filter(({ expect: wanted }) => ['notice', 'warn', 'updatedInput', 'display', 'retry', 'modeChange'].some((key) => key in wanted))
  it.each(detailed.map((row) => [`${row.id} ${row.event}: ${row.why}`, row] as const))(
    'in detail: %s',
    (_, { event, hookType, run, value, expect: wanted }) => {
      const background = run.asyncRewake ? 'asyncRewake' : run.async ? 'async' : false
      const said = read(event, rawOf(run, hookType), { type: hookType, background, ...(value === undefined ? {} : { input: { tool_name: value } }) })
      if (wanted.notice !== undefined) expect(said.messages.map((one) => one.text).join('\n')).toContain(wanted.notice)
      if (wanted.warn) expect(said.warnings).not.toEqual([])
      if (wanted.updatedInput !== undefined) expect(said.words.updatedInput ?? null).toEqual(wanted.updatedInput)
      if (wanted.display !== undefined) expect(said.words.displayContent).toBe(wanted.display)
      if (wanted.retry !== undefined) expect(said.words.retry).toBe(wanted.retry)
      if (wanted.modeChange === false) expect(said.words.updatedPermissions).toBeUndefined()
    },
  )
})
