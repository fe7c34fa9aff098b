/** Plays one row of reports.json, through the API or through the command line, and checks every key it expects. */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Diagnostic, EventName, Hookline } from '../../src/index.ts'
import { example, scriptedModel } from '../../src/testing.ts'
import { type Document, World } from '../scenarios/world.ts'
import { checks } from './report-checks.ts'
import { inputOf, type Row, worldOf } from './report-row.ts'

type Json = Record<string, unknown>
interface Shot {
  readonly document: Document
  readonly diagnostics: readonly Diagnostic[]
  /** Ids of the hooks that a person is shown before they run. */
  readonly shown: readonly string[]
}

/** Keys that are checked while the row is played. */
const played = new Set([
  'maxSeconds',
  'afterSeconds',
  'repeat',
  'sameEveryTime',
  'also',
  'later',
  'stillActive',
  'steps',
  'sequenceResult',
  'httpSaw',
  'httpCalls',
  'noProcessLeft',
  'modelCalls',
])
/** Keys whose answer stands in files, not in the verdict. */
const aboutFiles = new Set(['lines', 'linesExact', 'fileContents', 'absentFiles', 'presentFiles', 'fileUnchanged', 'validate'])

/** Why a row cannot be shown in one process of the command line; `undefined` when it can. */
export function onlyApi(row: Row): string | undefined {
  if (row.event === undefined || row.run === 'validate') return 'nothing is fired'
  if (row.scopes?.managed !== undefined) return 'the command line has no embedding program'
  if (row.steps !== undefined || row.sequence !== undefined || 'also' in row.expect || 'repeat' in row.expect) return 'several events in one session'
  if (row.modelReplies !== undefined || row.trust !== undefined) return 'a model, or a person'
  return undefined
}

/** Plays a row through the API. */
export async function playApi(row: Row): Promise<void> {
  const server = new ReplyServer(row)
  const world = new World(worldOf(row, await server.start()))
  const model = scriptedModel((row.modelReplies ?? []).map((reply) => (typeof reply === 'string' ? reply : new Error(reply.error))))
  const hookline = await world.open({ model })
  try {
    if (row.trust?.['folder'] === 'trusted') for (const { digest } of hookline.trust.pending) await hookline.trust.answer(digest, 'always')
    for (const key of Object.keys(row.expect)) expect([...Object.keys(checks), ...played], 'a key that no check knows').toContain(key)
    await fireAll(row, { world, hookline })
    server.check(row)
    if (row.expect['modelCalls'] !== undefined) expect(model.requests).toHaveLength(row.expect['modelCalls'] as number)
  } finally {
    await hookline.close()
    server.stop()
  }
}

/** Plays a row that fires one event through the command line. */
export async function playCommand(row: Row): Promise<void> {
  const server = new ReplyServer(row)
  const world = new World(worldOf(row, await server.start()))
  try {
    const { document, stderr } = await world.fireCommand(eventOf(row), inputOf(row, row.event as Json))
    expect(stderr).not.toMatch(/internal error|\n\s+at /)
    checkShot(row, world, { document, diagnostics: document.warnings, shown: [] }, (key) => key !== 'validate' && key !== 'diagnostics')
    server.check(row)
  } finally {
    server.stop()
  }
}

async function fireAll(row: Row, { world, hookline }: { world: World; hookline: Hookline }): Promise<void> {
  const startedAt = performance.now()
  if (row.sequence !== undefined) return playSequence(row, { world, hookline })
  if (row.event === undefined || row.run === 'validate') return checkKeys(row, world, undefined)
  const fire = (event: Json) => shoot(world, hookline, inputOf(row, event))
  if (row.steps !== undefined) return playSteps(row, { world, hookline, fire: () => fire(row.event as Json) })
  const first = await fire(row.event)
  const {
    maxSeconds,
    afterSeconds,
    repeat = 1,
    later,
    also,
    stillActive,
    noProcessLeft,
  } = row.expect as {
    maxSeconds?: number
    afterSeconds?: number
    repeat?: number
    later?: { toModel: string[] }
    also?: (Json & { event: Json })[]
    stillActive?: string[]
    noProcessLeft?: true
  }
  // Slack for a busy machine.
  if (maxSeconds !== undefined) expect(performance.now() - startedAt).toBeLessThan(Math.max(10, maxSeconds * 3) * 1_000)
  if (noProcessLeft) expect(markedProcesses(world)).toEqual([])
  if (afterSeconds !== undefined) await new Promise((done) => setTimeout(done, afterSeconds * 1_000 - (performance.now() - startedAt)))
  if (later !== undefined) await checkLater(hookline, first, later)
  checkShot(row, world, first, () => true)
  for (let at = 1; at < repeat; at++) {
    const again = await fire(row.event)
    if (row.expect['sameEveryTime'] === true) expect(comparable(again.document)).toEqual(comparable(first.document))
    checkShot(row, world, again, (key) => !aboutFiles.has(key))
  }
  for (const { event, ...expected } of also ?? []) checkShot({ ...row, expect: expected }, world, await fire(event), () => true)
  for (const id of stillActive ?? []) {
    const event = id.split(':')[1] as EventName
    expect(hookline.explain(event, example(event)).hooks).toContainEqual(expect.objectContaining({ id, status: 'would-run' }))
  }
}

/** Fires once, and gathers what is told beside the notices. */
async function shoot(world: World, hookline: Hookline, event: Json): Promise<Shot> {
  const name = event['hook_event_name'] as EventName
  const explained = hookline.explain(name, world.fill(event) as never).warnings
  const document = await world.fire(hookline, name, event)
  const shown = hookline.trust.pending.flatMap(({ items }) => items.flatMap(({ hook, change }) => (hook === undefined || change === 'removed' ? [] : [hook])))
  return { document, diagnostics: [...hookline.diagnostics, ...document.warnings, ...explained], shown }
}

function checkShot(row: Row, world: World, shot: Shot, wanted: (key: string) => boolean): void {
  checkKeys(row, world, shot, wanted)
}

function checkKeys(row: Row, world: World, shot: Shot | undefined, wanted: (key: string) => boolean = () => true): void {
  for (const [key, value] of Object.entries(row.expect)) {
    const check = checks[key]
    const told = { diagnostics: [...(shot?.diagnostics ?? []), ...world.notices] }
    if (check !== undefined && wanted(key) && (shot !== undefined || aboutFiles.has(key))) check(value as never, { row, world, ...(shot as Shot), ...told })
  }
}

/** One step per entry; a step may first write the settings anew, which is loaded. */
async function playSteps(row: Row, { world, hookline, fire }: { world: World; hookline: Hookline; fire: () => Promise<Shot> }): Promise<void> {
  const expected = row.expect['steps'] as Json[]
  for (const [at, step] of (row.steps ?? []).entries()) {
    const text = step.writeSettingsText ?? (step.writeSettings === undefined ? undefined : JSON.stringify(step.writeSettings))
    if (text !== undefined) {
      world.write('.claude/settings.json', text)
      await hookline.reload()
    }
    const stepRow = { ...row, expect: expected[at] ?? {} }
    for (const key of Object.keys(stepRow.expect)) expect(Object.keys(checks), 'a key that no check knows').toContain(key)
    checkShot(stepRow, world, await fire(), () => true)
  }
}

/** The same event again and again: the engine's loop state decides, so its field is left out. */
async function playSequence(row: Row, { world, hookline }: { world: World; hookline: Hookline }): Promise<void> {
  const { repeat, times } = row.sequence as NonNullable<Row['sequence']>
  const { prevented, toUser } = row.expect['sequenceResult'] as { prevented: number; thenEnds: true; toUser: string[] }
  const { stop_hook_active: _, ...event } = repeat
  const shots: Shot[] = []
  for (let at = 0; at < times; at++) shots.push(await shoot(world, hookline, event))
  expect(shots.map(({ document }) => document.blocked)).toEqual(shots.map((_, at) => at < prevented))
  const told =
    shots
      .at(-1)
      ?.document.warnings.map((one) => one.message)
      .join('\n') ?? ''
  for (const text of toUser) expect(told).toContain(text)
}

async function checkLater(hookline: Hookline, { document }: Shot, later: { toModel: string[] }): Promise<void> {
  expect(document.hooks).toContainEqual(expect.objectContaining({ ending: expect.objectContaining({ kind: 'deferred' }) }))
  const scopes = [hookline, hookline.session('s-1')]
  for (const scope of scopes) await Promise.all(scope.background.map((job) => job.done))
  const said = scopes.flatMap((scope) => scope.drain()).map((late) => late.toModel)
  for (const text of later.toModel) expect(said.join('\n')).toContain(text)
}

/** A verdict without what differs from run to run. */
function comparable(document: Document): object {
  return { ...document, callId: '', ms: 0, hooks: document.hooks.map((hook) => ({ ...hook, ms: 0 })) }
}

/** Processes that still carry this world's home in their environment. */
function markedProcesses(world: World): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${world.home}`)
      } catch {
        return false
      }
    })
}

function eventOf(row: Row): EventName {
  return (row.event as { hook_event_name: EventName }).hook_event_name
}

/** Answers as the row says, and remembers what it was asked. */
class ReplyServer {
  readonly #seen: { headers: IncomingHttpHeaders }[] = []
  readonly #server: Server | undefined

  constructor({ httpReplies }: Row) {
    if (httpReplies === undefined) return
    this.#server = createServer((request, response) => {
      const reply = httpReplies[Math.min(this.#seen.push({ headers: request.headers }), httpReplies.length) - 1]
      request.resume().on('end', () => response.writeHead(reply?.status ?? 500).end(reply?.body))
    })
  }

  /** The origin, or '' when nothing is served. */
  async start(): Promise<string> {
    const server = this.#server
    if (server === undefined) return ''
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  check({ expect: { httpCalls, httpSaw } }: Row): void {
    if (httpCalls !== undefined) expect(this.#seen).toHaveLength(httpCalls as number)
    if (httpSaw === undefined) return
    const { headers, contentType } = httpSaw as { headers: Readonly<Record<string, string>>; contentType: string }
    expect(this.#seen[0]?.headers).toMatchObject(headers)
    expect(this.#seen[0]?.headers['content-type']).toContain(contentType)
  }
}
