/** What a row of reports.json may expect, key by key: one function per key (cases/README.md has the table). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Diagnostic, validateSettings } from '../../src/index.ts'
import { type Document, decisionOf, type World } from '../scenarios/world.ts'
import { pointsAt } from './report-places.ts'
import { type Row, settingsTextOf } from './report-row.ts'
import { means, type Wanted } from './report-senses.ts'

/** What came of one firing. */
export interface Seen {
  readonly row: Row
  readonly world: World
  readonly document: Document
  /** Everything that was told anywhere: at load, with the verdict, by `explain`. */
  readonly diagnostics: readonly Diagnostic[]
  /** Ids of the hooks that a person is shown before they run. */
  readonly shown: readonly string[]
}

type Check = (wanted: never, seen: Seen) => void
const texts =
  (where: (document: Document) => string): Check =>
  (wanted: readonly string[], { document }) => {
    for (const text of wanted) expect(where(document).toLowerCase()).toContain(text.toLowerCase())
  }
const noTexts =
  (where: (document: Document) => string): Check =>
  (wanted: readonly string[], { document }) => {
    for (const text of wanted) expect(where(document)).not.toContain(text)
  }
const ranIn = (document: Document) => document.hooks.filter((hook) => hook.status === 'ran').map((hook) => hook.id)
const linesIn = (world: World, name: string) => (world.read(name) ?? '').split('\n').filter((line) => line !== '')
const lists = (document: Document): Record<string, string> => ({ toModel: document.toModel, toUser: document.toUser })
const runs = ({ resolved, blocked }: Document) => !blocked && resolved?.behavior !== 'deny' && resolved?.behavior !== 'defer'

/** The word of `final` for what becomes of the call with rules and mode. */
function finalOf({ resolved, blocked }: Document): string {
  if (resolved?.cause === 'nobody-to-ask') return 'asked'
  return blocked || resolved?.behavior === 'deny' ? 'blocked' : resolved?.behavior === 'defer' ? 'deferred' : 'runs'
}

/** The checks of one verdict, by key. */
export const checks: Readonly<Record<string, Check>> = {
  decision: (wanted: string, { document }) => expect(decisionOf(document)).toBe(wanted),
  final: (wanted: string, { document }) => expect(finalOf(document)).toBe(wanted === 'prompt' ? 'asked' : wanted),
  blocked: (wanted: boolean, { document }) => expect(document.blocked).toBe(wanted),
  stopPrevented: (wanted: boolean, { document }) => expect(document.blocked && document.stop === undefined).toBe(wanted),
  stopRun: (wanted: boolean, { document }) => expect(document.stop !== undefined).toBe(wanted),
  toolRuns: (wanted: boolean, { document }) => expect(runs(document)).toBe(wanted),
  promptReachesModel: (wanted: boolean, { document }) => expect(!document.blocked).toBe(wanted),
  toolResultKept: (wanted: boolean, { document }) => expect(!('updatedOutput' in document)).toBe(wanted),
  permission: (wanted: string, { document }) => expect(document.permission?.behavior).toBe(wanted === 'none' ? 'passthrough' : wanted),
  permissionMode: (wanted: string, { document }) => expect(document.updatedPermissions?.find((one) => one.type === 'setMode')?.mode ?? 'default').toBe(wanted),
  dialog: (wanted: boolean, { document }) => expect(document.permission?.behavior === 'passthrough').toBe(wanted),
  ran: (wanted: readonly string[], { document }) => expect(ranIn(document).toSorted()).toEqual(wanted.toSorted()),
  shows: (wanted: readonly string[], { shown, document }) => {
    expect(shown).toEqual(expect.arrayContaining([...wanted]))
    expect(ranIn(document).filter((id) => wanted.includes(id))).toEqual([])
  },
  ranCount: (wanted: number, { document }) => expect(ranIn(document)).toHaveLength(wanted),
  ranIncludes: (wanted: readonly string[], { document }) => expect(ranIn(document)).toEqual(expect.arrayContaining([...wanted])),
  hookFailures: (wanted: number, { document }) =>
    expect(document.hooks.filter((hook) => hook.status === 'ran' && hook.outcome === 'nonBlockingError')).toHaveLength(wanted),
  toModel: texts((document) => document.toModel),
  toUser: texts((document) => document.toUser),
  toSubagent: texts((document) => document.toModel),
  notToModel: noTexts((document) => document.toModel),
  notToUser: noTexts((document) => document.toUser),
  toUserNotEmpty: (wanted: boolean, { document }) => expect(document.toUser !== '').toBe(wanted),
  reasonNotEmpty: (wanted: boolean, { document }) => expect(document.toModel.replace(/^.*?: /, '') !== '').toBe(wanted),
  exactly: (wanted: readonly string[], { document, row }) => {
    for (const key of wanted)
      expect((lists(document)[key] ?? '').split('\n').filter((line) => line !== '')).toHaveLength((row.expect[key] as readonly unknown[]).length)
  },
  additionalContext: (wanted: readonly string[], { document }) => expect(document.context?.map((one) => one.text.trim())).toEqual(wanted),
  eachOnce: (_: boolean, { document }) => expect(new Set(document.context?.map((one) => one.text)).size).toBe(document.context?.length),
  contextCharsAtMost: (wanted: number, { document }) => expect(document.context?.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThanOrEqual(wanted),
  spilledFile: (_: boolean, { document }) => expect(document.context?.some((one) => one.file !== undefined && existsSync(one.file))).toBe(true),
  updatedInput: (wanted: object, { document, world }) => expect(document.updatedInput).toEqual(world.fill(wanted)),
  diagnostics: (wanted: readonly Wanted[], { diagnostics, row }) => {
    for (const one of wanted) {
      const told = diagnostics.filter((found) => means(found, one) && (one.where === undefined || pointsAt(found, one.where, settingsTextOf(row))))
      expect(
        told,
        `${JSON.stringify(one)} is not among ${diagnostics.map((found) => `${found.severity} ${found.code}: ${found.message}`).join('\n')}`,
      ).not.toEqual([])
    }
  },
  validate: (wanted: { problems?: readonly Wanted[]; problemsAtMost?: number; detectedFormat?: string }, { row }) => {
    const found = validationOf(row)
    const { detectedFormat } = wanted
    if (detectedFormat !== undefined)
      expect(found.filter(({ diagnostic }) => diagnostic.code === 'foreign-format' && diagnostic.message.toLowerCase().includes(detectedFormat))).not.toEqual(
        [],
      )
    if (wanted.problemsAtMost !== undefined) expect(found.map((one) => one.diagnostic.message).slice(wanted.problemsAtMost)).toEqual([])
    for (const one of wanted.problems ?? []) {
      const told = found.filter(
        ({ diagnostic, text, file }) => means(diagnostic, one) && (one.where === undefined || (file === 'project' && pointsAt(diagnostic, one.where, text))),
      )
      expect(
        told,
        `${JSON.stringify(one)} is not among ${found.map(({ diagnostic }) => `${diagnostic.severity} ${diagnostic.code} ${diagnostic.line}: ${diagnostic.message}`).join('\n')}`,
      ).not.toEqual([])
    }
  },
  lines: (wanted: Readonly<Record<string, number>>, { world }) => {
    for (const [name, count] of Object.entries(wanted)) expect(linesIn(world, name)).toHaveLength(count)
  },
  linesExact: (wanted: Readonly<Record<string, readonly string[]>>, { world }) => {
    for (const [name, lines] of Object.entries(wanted)) expect(linesIn(world, name)).toEqual(lines)
  },
  fileContents: (wanted: Readonly<Record<string, string>>, { world }) => {
    for (const [name, text] of Object.entries(wanted)) expect(world.read(name)?.replace(/\n$/, '')).toBe(world.filled(text))
  },
  jsonFiles: (wanted: Readonly<Record<string, object>>, { world }) => {
    for (const [name, fields] of Object.entries(wanted)) expect(JSON.parse(world.read(name) ?? 'null')).toMatchObject(fields)
  },
  validUtf8: (wanted: readonly string[], { world }) => {
    for (const name of wanted) expect(() => new TextDecoder('utf-8', { fatal: true }).decode(world.bytes(name))).not.toThrow()
  },
  sameBytes: ([first = '', ...others]: readonly string[], { world }) => {
    for (const name of others) expect(world.bytes(name).equals(world.bytes(first))).toBe(true)
  },
  absentFiles: (wanted: readonly string[], { world }) => {
    for (const name of wanted) expect(existsSync(join(world.project, name))).toBe(false)
  },
  presentFiles: (wanted: readonly string[], { world }) => {
    for (const name of wanted) expect(existsSync(join(world.project, name))).toBe(true)
  },
  fileUnchanged: (_: boolean, { world, row }) => expect(world.read('.claude/settings.json')).toBe(settingsTextOf(row)),
}

/** What validation finds in every settings file of a row. */
function validationOf(row: Row): { file: string; text: string; diagnostic: Diagnostic }[] {
  const { local, plugins = [] } = row.scopes ?? {}
  const files: [file: string, text: string, path: string][] = [['project', settingsTextOf(row), row.fileName ?? '.claude/settings.json']]
  if (local !== undefined) files.push(['local', JSON.stringify(local, null, 2), '.claude/settings.local.json'])
  for (const plugin of plugins) files.push([plugin.name, JSON.stringify({ hooks: plugin.hooks }, null, 2), `plugins/${plugin.name}/hooks/hooks.json`])
  return files.flatMap(([file, text, path]) => validateSettings(text, { file: path }).map((diagnostic) => ({ file, text, diagnostic })))
}
