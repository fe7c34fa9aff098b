/** A project, a home and an environment on disk, in which the same event can be fired through the API and through the command line. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic, EventName, HookReport, TrustMode } from '../../src/index.ts'
import { createHookline, type Hookline, type HooklineOptions, resolveFor } from '../../src/node.ts'
import { documentOf, project } from '../cli/start.ts'

/** The document of a verdict (contract §8), as far as tests look at it. */
export interface Document {
  readonly event: string
  readonly permission?: { readonly behavior: string; readonly reason?: string; readonly by: readonly string[] }
  readonly resolved?: { readonly behavior: string; readonly cause: string; readonly reason?: string }
  readonly blocked: boolean
  readonly blocks?: readonly { readonly reason: string; readonly by: string }[]
  readonly stop?: { readonly reason: string; readonly by: string }
  readonly toModel: string
  readonly toUser: string
  readonly context?: readonly { readonly text: string; readonly by: string; readonly truncated: boolean; readonly file?: string }[]
  readonly elicitation?: { readonly action: string; readonly content?: object }
  readonly worktreePath?: string
  readonly updatedInput?: object
  readonly updatedPermissions?: readonly { readonly type: string; readonly mode?: string }[]
  readonly updatedOutput?: unknown
  readonly warnings: readonly Diagnostic[]
  readonly hooks: readonly HookReport[]
}

/** What a world is made of. `${PROJECT}` and `${HOME}` in any text stand for its folders. */
export interface WorldOptions {
  /** By path relative to the project; `~/` is the home. A file that begins with a shebang line is a program. */
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** Policy of the embedding program. The command line has none. */
  readonly managed?: object
  /** Further settings, as `--settings` gives them. */
  readonly settings?: readonly string[]
  /** Default: implicit, which is `--trust` on the command line. */
  readonly trust?: TrustMode
  readonly interactive?: boolean
  readonly projectName?: string
}

/** One world. It goes when the tests of the file are done. */
export class World {
  readonly #base = project()
  readonly home = this.#base.home
  readonly project: string
  readonly options: WorldOptions
  readonly notices: Diagnostic[] = []

  constructor(options: WorldOptions) {
    this.options = options
    this.project = join(this.#base.folder, options.projectName ?? '.')
    mkdirSync(this.project, { recursive: true })
    for (const [name, text] of Object.entries(options.files ?? {})) this.write(name, text)
  }

  write(name: string, text: string): void {
    const path = name.startsWith('~/') ? this.#base.writeHome(name.slice(2), this.filled(text)) : this.#base.write(join(this.options.projectName ?? '.', name), this.filled(text))
    if (text.startsWith('#!')) chmodSync(path, 0o755)
  }

  /** The text of a file of the project; `undefined` when it is not there. */
  read(name: string): string | undefined {
    try {
      return readFileSync(join(this.project, name), 'utf8')
    } catch {
      return undefined
    }
  }

  /** The bytes of a file of the project. */
  bytes(name: string): Buffer {
    return readFileSync(join(this.project, name))
  }

  filled(text: string): string {
    return text.replaceAll('${PROJECT}', this.project).replaceAll('${HOME}', this.home)
  }

  /** The same value with the folders filled in. */
  fill<T>(value: T): T {
    const escaped = (path: string) => JSON.stringify(path).slice(1, -1)
    return JSON.parse(JSON.stringify(value).replaceAll('${PROJECT}', escaped(this.project)).replaceAll('${HOME}', escaped(this.home))) as T
  }

  get env(): Record<string, string> {
    const places = { XDG_CONFIG_HOME: '.config', XDG_STATE_HOME: '.local/state', XDG_CACHE_HOME: '.cache' }
    const own = Object.entries(places).map(([name, folder]) => [name, join(this.home, folder)] as const)
    return { PATH: process.env.PATH ?? '', HOME: this.home, ...Object.fromEntries(own), ...this.fill(this.options.env ?? {}) }
  }

  /** Opens the world through the API. */
  open(more: Pick<HooklineOptions, 'model'> = {}): Promise<Hookline> {
    const { managed, settings, trust = 'implicit', interactive } = this.options
    return createHookline({
      cwd: this.project,
      env: this.env,
      trust,
      ...more,
      onNotice: (notice) => this.notices.push(notice),
      ...(interactive === undefined ? {} : { interactive }),
      ...(managed === undefined ? {} : { managed: this.fill(managed) }),
      ...(settings === undefined ? {} : { settings: settings.map((one) => this.filled(one)) }),
    })
  }

  /** Fires once through the API, in the session that the input names. */
  async fire(hookline: Hookline, event: EventName, input: Readonly<Record<string, unknown>>): Promise<Document> {
    const filled = this.fill(input)
    const id = filled['session_id']
    const session = typeof id === 'string' ? hookline.session(id) : hookline
    const verdict = await session.fire(event, filled as never)
    const resolved = verdict.event === 'PreToolUse' ? await resolveFor(hookline, verdict as never) : undefined
    const { behavior, cause, reason } = resolved ?? {}
    return JSON.parse(JSON.stringify({ ...verdict.toJSON(), ...(resolved === undefined ? {} : { resolved: { behavior, cause, reason } }) })) as Document
  }

  /** Fires once through the command line. */
  async fireCommand(event: EventName, input: Readonly<Record<string, unknown>>): Promise<{ document: Document; code: number | null; stderr: string }> {
    const { trust = 'implicit', settings = [] } = this.options
    const further = settings.flatMap((one) => ['--settings', this.filled(one)])
    const args = ['fire', event, '--input', '-', '--json', ...(trust === 'implicit' ? ['--trust'] : []), ...further]
    const done = await this.#base.hookline(args, { cwd: this.project, env: this.env, input: JSON.stringify(this.fill(input)) })
    if (done.stdout === '') throw new Error(`hookline fire ${event} printed nothing and ended with code ${done.code}: ${done.stderr}`)
    return { document: documentOf(done) as unknown as Document, code: done.code, stderr: done.stderr }
  }
}

/** The word of contract §8 for what the hooks said. */
export function decisionOf(document: Document): string {
  const { stop, permission, elicitation, blocks = [], context = [] } = document
  const ran = document.hooks.flatMap((hook) => (hook.status === 'ran' ? [hook] : []))
  const saidStop = ran.some(({ answer }) => answer !== undefined && 'stop' in answer)
  if (stop !== undefined && saidStop) return 'stop'
  if (permission !== undefined) return permission.behavior === 'passthrough' ? 'none' : permission.behavior
  if (elicitation !== undefined) return elicitation.action
  if (document.event === 'WorktreeCreate' || document.event === 'WorktreeRemove') return document.worktreePath !== undefined ? 'path' : document.blocked ? 'fail' : 'none'
  if (blocks.length > 0 || (document.blocked && context.length > 0)) return 'block'
  return 'updatedOutput' in document ? 'replace' : 'none'
}
