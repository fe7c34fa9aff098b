/** What a scenario may expect: one line, one fact about the verdict's document or the files. */
import { expect } from 'vitest'
import { valueOf } from './scenario.ts'
import { decisionOf, type Document, type World } from './world.ts'

/** What came of one firing. */
export interface Outcome {
  readonly document: Document
  /** Exit code; only the command line has one. */
  readonly code?: number | null
}

type Check = (text: string, outcome: Outcome, world: World) => void

const contains = (where: (document: Document) => string): Check => (text, { document }, world) => {
  if (text === '-') expect(where(document)).toBe('')
  else expect(where(document)).toContain(world.filled(text))
}
const lacks = (where: (document: Document) => string): Check => (text, { document }) => expect(where(document)).not.toContain(text)

/** By the word before the colon. Every hook of the event must be named by a `ran` or a `skipped` line, if one is named at all. */
const checks: Readonly<Record<string, Check>> = {
  /** The word of contract §8. */
  decision: (text, { document }) => expect(decisionOf(document)).toBe(text),
  /** Behavior and cause of what rules and mode make of it: `deny nobody-to-ask`. */
  final: (text, { document }) => expect(`${document.resolved?.behavior} ${document.resolved?.cause}`).toBe(text),
  /** `ID OUTCOME ENDING`: `project:Stop:0:0 success exited 0`. */
  ran: (text, { document }) => {
    const [id, outcome, ...ending] = text.split(' ')
    const hook = document.hooks.find((one) => one.id === id)
    expect(hook, `${id} is not there`).toMatchObject({ status: 'ran', ...(outcome === undefined ? {} : { outcome }) })
    if (ending.length > 0 && hook?.status === 'ran') expect(Object.values(hook.ending).join(' ')).toContain(ending.join(' '))
  },
  /** `ID WHY WORDS`: words are contained in the detail. */
  skipped: (text, { document }) => {
    const [id, why, ...words] = text.split(' ')
    const hook = document.hooks.find((one) => one.id === id)
    expect(hook, `${id} is not there`).toMatchObject({ status: 'skipped', skipped: { why } })
    if (hook?.status === 'skipped') expect(hook.skipped.detail).toContain(words.join(' '))
  },
  toModel: contains((document) => document.toModel),
  toUser: contains((document) => document.toUser),
  'toModel not': lacks((document) => document.toModel),
  'toUser not': lacks((document) => document.toUser),
  /** `CODE WORDS`, or `-` for none at all. */
  warning: (text, { document }) => {
    if (text === '-') return expect(document.warnings).toEqual([])
    const [code = '', ...words] = text.split(' ')
    const warning = document.warnings.find((one) => one.code === code)
    expect(warning, `no ${code} among ${document.warnings.map((one) => one.code).join(', ')}`).toBeDefined()
    expect(`${warning?.message} ${warning?.hint ?? ''}`).toContain(words.join(' '))
  },
  /** Exit code of the command line. */
  exit: (text, { code }) => {
    if (code !== undefined) expect(code).toBe(Number(text))
  },
  /** `NAME = TEXT`, or `NAME is absent`; the text is what the file holds, blanks around it left out. */
  file: (text, _, world) => {
    const [, name = '', is, wanted = ''] = /^(\S+) (=|is) ?(.*)$/.exec(text) ?? []
    expect(world.read(name)?.trim()).toBe(is === 'is' ? undefined : world.filled(wanted))
  },
}

/** Checks one line; a word that is no check is a path into the document: `context.0.truncated: true`. */
export function check(line: string, outcome: Outcome, world: World): void {
  const colon = line.indexOf(':')
  const [word, text] = [line.slice(0, colon), line.slice(colon + 1).trim()]
  const known = checks[word]
  if (known !== undefined) return known(text, outcome, world)
  const found = word.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], outcome.document)
  if (text === 'absent') expect(found).toBeUndefined()
  else expect(found).toEqual(world.fill(valueOf(text)))
}

/** Every hook that took part is named by the scenario, if it names hooks at all. */
export function checkHooks(lines: readonly string[], { document }: Outcome): void {
  const named = lines.filter((line) => /^(ran|skipped):/.test(line)).map((line) => line.split(' ')[1])
  if (named.length > 0) expect(document.hooks.map((hook) => hook.id).toSorted()).toEqual(named.toSorted())
}
