/** The rules of the house hold for every file, and each rule finds what it is there to find. */
import { describe, expect, test } from 'vitest'
import { type Page, pageOf, pagesBelow, sourcePages, testPages } from './reading.ts'
import {
  hasHonestName,
  keepsTheStyle,
  namesNoEvent,
  opensWithSentence,
  printsNothing,
  type Rule,
  runsEveryTest,
  serialisesNoInput,
  staysSmall,
} from './rules.ts'

const sources = sourcePages()
const tests = testPages()
const scripts = pagesBelow('scripts')

const rules: [sentence: string, rule: Rule, pages: Page[]][] = [
  ['every file opens with a sentence on what it is for', opensWithSentence, [...sources, ...tests, ...scripts]],
  ['no source file is over 300 lines, save the event table', staysSmall, [...sources, ...scripts]],
  ['every file and folder is named after what happens in it', hasHonestName, sources],
  ['no Manager, Service or System, no default export, at most three parameters', keepsTheStyle, [...sources, ...scripts]],
  ['the core names no event outside the table', namesNoEvent, sources],
  ['only the command line, the faces of the agent and hook.ts print or decide the exit code', printsNothing, sources],
  ['only engine/call.ts turns the input into text', serialisesNoInput, sources],
  ['no test is switched off, singled out or promised for later', runsEveryTest, tests],
]

test.each(rules)('%s', (_sentence, rule, pages) => {
  expect(pages.length).toBeGreaterThan(3)
  expect(pages.flatMap(rule)).toEqual([])
})

describe('a rule finds what it is there to find', () => {
  const sentence = '/** A room. */\n'
  const engine = 'packages/hookline/src/engine/x.ts'
  const cases: [what: string, rule: Rule, path: string, text: string][] = [
    ['a file without a comment', opensWithSentence, engine, 'export const a = 1\n'],
    ['a file whose comment is no sentence', opensWithSentence, engine, '/** todo */\n'],
    ['a file of 301 lines', staysSmall, engine, 'a\n'.repeat(301)],
    ['a file named utils', hasHonestName, 'packages/hookline/src/engine/utils.ts', sentence],
    ['a folder named common', hasHonestName, 'packages/hookline/src/common/x.ts', sentence],
    ['a barrel', hasHonestName, 'packages/hookline/src/engine/index.ts', sentence],
    ['a file in camelCase', hasHonestName, 'packages/hookline/src/engine/someFile.ts', sentence],
    ['a class named Manager', keepsTheStyle, engine, `${sentence}class HookManager {}`],
    ['a default export', keepsTheStyle, engine, `${sentence}export default 1`],
    ['a default exported function', keepsTheStyle, engine, `${sentence}export default function f() {}`],
    ['a function of four parameters', keepsTheStyle, engine, `${sentence}const f = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d]`],
    ['an event name as a literal', namesNoEvent, engine, `${sentence}const a = 'Stop'`],
    ['an event name inside a message', namesNoEvent, engine, `${sentence}const a = \`on PreToolUse \${1}\``],
    ['an event name as a key', namesNoEvent, engine, `${sentence}const a = { Stop: 1 }`],
    ['console in the engine', printsNothing, engine, `${sentence}console.error('x')`],
    ['an exit code set in the engine', printsNothing, engine, `${sentence}process.exitCode = 2`],
    ['output in the loop of the agent', printsNothing, 'packages/agent/src/loop/x.ts', `${sentence}process.stdout.write('x')`],
    ['output in a handler', printsNothing, 'packages/hookline/src/handlers/x.ts', `${sentence}process.stdout.write('x')`],
    ['an input serialised by a handler', serialisesNoInput, 'packages/hookline/src/handlers/x.ts', `${sentence}JSON.stringify(context.input)`],
    ['a test that is skipped', runsEveryTest, 'packages/hookline/test/x.test.ts', `${sentence}test.skip('x', () => {})`],
    ['a suite that is singled out', runsEveryTest, 'packages/hookline/test/x.test.ts', `${sentence}describe.only('x', () => {})`],
  ]
  test.each(cases)('%s', (_what, rule, path, text) => {
    expect(rule(pageOf(path, text))).toHaveLength(1)
  })

  const innocent: [what: string, rule: Rule, path: string, text: string][] = [
    ['an ordinary word inside a message', namesNoEvent, engine, `${sentence}const a = 'Stop it'`],
    ['an event named by its row', namesNoEvent, engine, `${sentence}const a = events.ConfigChange.name`],
    ['an event in a type', namesNoEvent, engine, `${sentence}type A = Verdict<'PreToolUse'>`],
    ['an event named by the command line', namesNoEvent, 'packages/hookline/src/cli/x.ts', `${sentence}const a = 'Stop'`],
    ['a message of a face', printsNothing, 'packages/agent/src/faces/x.ts', `${sentence}process.stdout.write('x')`],
    ['a message of the command line', printsNothing, 'packages/hookline/src/cli/x.ts', `${sentence}process.stdout.write('x')`],
    ['a quoted value in a message', serialisesNoInput, engine, `${sentence}JSON.stringify(value)`],
    ['the one place that serialises', serialisesNoInput, 'packages/hookline/src/engine/call.ts', `${sentence}JSON.stringify(input)`],
  ]
  test.each(innocent)('but not %s', (_what, rule, path, text) => {
    expect(rule(pageOf(path, text))).toEqual([])
  })
})
