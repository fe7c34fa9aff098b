/** Every check of the reports can fail: a verdict that is not what the row says is found out. */
import { expect, test } from 'vitest'
import { World } from '../scenarios/world.ts'
import { checks, type Seen } from './report-checks.ts'
import type { Row } from './report-row.ts'

const row: Row = {
  id: 'x',
  kind: 'x',
  note: '',
  settings: { hooks: { Stop: [{ hooks: [{ type: 'Command', command: 'true' }] }] } },
  expect: { toModel: [], toUser: [] },
}
const world = new World({ files: { 'n.txt': 'one\n', 'm.txt': 'two\n', 'a.json': '{"a":1}', 'bad.txt': 'x' } })
const hook = { id: 'project:Stop:0:0', status: 'ran', outcome: 'success', ending: { kind: 'exited', code: 0 } }
const seen: Seen = {
  row,
  world,
  shown: [],
  diagnostics: [{ severity: 'warning', code: 'exit-code', message: 'Hook "x" ended with code 1; only 2 blocks.' }],
  document: {
    event: 'PreToolUse',
    permission: { behavior: 'allow', by: [hook.id] },
    resolved: { behavior: 'allow', cause: 'hook' },
    blocked: false,
    toModel: 'hello model',
    toUser: 'hello user',
    context: [
      { text: 'same', by: hook.id, truncated: false },
      { text: 'same', by: hook.id, truncated: false },
    ],
    updatedOutput: 1,
    updatedInput: { a: 1 },
    updatedPermissions: [{ type: 'setMode', mode: 'plan' }],
    warnings: [],
    hooks: [hook as never],
  },
}

const wrong: Readonly<Record<string, unknown>> = {
  decision: 'deny',
  final: 'blocked',
  blocked: true,
  stopPrevented: true,
  stopRun: true,
  toolRuns: false,
  promptReachesModel: false,
  toolResultKept: true,
  permission: 'deny',
  permissionMode: 'default',
  dialog: true,
  ran: [],
  ranCount: 2,
  ranIncludes: ['other'],
  hookFailures: 1,
  toModel: ['bye'],
  toUser: ['bye'],
  toSubagent: ['bye'],
  notToModel: ['hello'],
  notToUser: ['hello'],
  toUserNotEmpty: false,
  reasonNotEmpty: false,
  exactly: ['toModel'],
  additionalContext: ['same'],
  eachOnce: true,
  contextCharsAtMost: 1,
  spilledFile: true,
  updatedInput: { a: 2 },
  diagnostics: [{ level: 'warning', says: 'hook ended with code 3' }],
  validate: { problems: [{ level: 'error', says: 'no such problem' }] },
  lines: { 'n.txt': 2 },
  linesExact: { 'n.txt': ['two'] },
  fileContents: { 'n.txt': 'two' },
  jsonFiles: { 'a.json': { a: 2 } },
  validUtf8: ['gone.txt'],
  sameBytes: ['n.txt', 'm.txt'],
  absentFiles: ['n.txt'],
  presentFiles: ['gone.txt'],
  fileUnchanged: true,
  shows: ['nothing like this was shown'],
}

test.each(Object.keys(checks))('%s', (key) => {
  expect(wrong).toHaveProperty(key)
  expect(() => checks[key]?.(wrong[key] as never, seen)).toThrow()
})

const alike: [says: string, told: string, same: boolean][] = [
  ['hook ended with code 1; only 2 blocks', 'Hook "x" ended with code 1; only 2 blocks.', true],
  ['only 2 blocks', 'Hook "x" ended with code 1.', false],
  ['no tool called bash; did you mean Bash', 'there is no tool called "bash"; did you mean "Bash"?', true],
]
test.each(alike)('"%s" against "%s": %s', (says, message, same) => {
  const check = () => checks['diagnostics']?.([{ level: 'warning', says }] as never, { ...seen, diagnostics: [{ severity: 'warning', code: 'x', message }] })
  if (same) expect(check).not.toThrow()
  else expect(check).toThrow()
})
