/** The desk where a folder is answered for: what it brings, what of that is accepted, and the one question about the rest. */
import type { ConfiguredHook, Snapshot } from '../config/snapshot.ts'
import { applyTrust, doubting } from '../config/trust-apply.ts'
import { type Found, findBrought } from '../config/trust-brought.ts'
import { judgeTrust, type TrustStanding } from '../config/trust-gate.ts'
import type { Recalled, ScriptsPort, TrustKeeper } from '../config/trust-ports.ts'
import { type Compared, compare, recordOf, type TrustRecord } from '../config/trust-record.ts'
import type { PinnedScripts } from '../config/trust-scripts.ts'
import { HooklineError } from '../errors.ts'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import type { HookInfo, Skipped } from '../protocol/hook.ts'
import type { AskTrust, Trust, TrustAnswer, TrustMode, TrustRequest } from '../protocol/ports.ts'
import { askOnce } from './trust-question.ts'

/** What a desk is made from. */
export interface DeskOptions {
  /** Who vouches, as the host chose. */
  readonly trust: TrustMode | AskTrust
  readonly keeper: TrustKeeper
  readonly scripts: ScriptsPort
  readonly projectDir: string
  /** Hears every answer before it takes effect: the audit log's seam. */
  readonly onAnswer?: (moment: TrustMoment) => Promise<void> | undefined
}

/** One answer, or its being taken back. */
export interface TrustMoment {
  readonly folder: string
  readonly answer: TrustAnswer | 'revoked'
  readonly digest?: string
  readonly items?: number
}

/** What the desk needs of the engine that it stands in front of. */
export interface DeskEngine {
  readonly snapshot: Snapshot
  replace(snapshot: Snapshot): void
  notice(notice: Diagnostic): void
}

/** Where a folder stands, for those who show it. */
export interface TrustState extends TrustRequest {
  /** The least trusted of what it brings; `not-needed`: it brings nothing that needs consent. */
  readonly trust: HookInfo['trust']
  readonly since?: number
  /** Why an answer holds for this Hookline only. */
  readonly sessionOnly?: string
}

interface Standing extends TrustStanding {
  readonly loaded: Snapshot
  readonly found: Found
  readonly recalled: Recalled
  readonly compared: Compared
  /** How many answers it has heard. */
  readonly heard: number
}

const answers: readonly string[] = ['once', 'always', 'no']
const isUsers = ({ info }: ConfiguredHook) => info.source.kind === 'user'
const mostShown = 64

/** Keeps trust for one Hookline. Under `implicit` it looks at nothing and lets everything run. */
export class TrustDesk implements Trust {
  readonly #options: DeskOptions
  readonly #standings = new WeakMap<Snapshot, Standing>()
  /** Of hooks that run because their content was accepted; a hook in flight keeps those it was chosen with. */
  readonly #scripts = new WeakMap<object, PinnedScripts>()
  /** What was shown, by digest: an answer covers this and nothing later. */
  readonly #shown = new Map<string, Found>()
  readonly #refused = new Set<string>()
  /** The hooks of the user's own settings when the session began, by digest. */
  #usersOwn: ReadonlySet<string> | undefined
  #accepted: TrustRecord[] = []
  #answered = false
  #heard = 0
  #told: string[] = []
  #engine: DeskEngine | undefined
  #closing: AbortSignal | undefined
  #asking: Promise<void> | undefined

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** Sits down in front of an engine, until `closing` fires. */
  attach(engine: DeskEngine, closing: AbortSignal): void {
    this.#engine = engine
    this.#closing = closing
    this.#tell()
  }

  /** What was loaded, as far as it is accepted. */
  async admit(read: Snapshot): Promise<Snapshot> {
    const { trust } = this.#options
    if (trust === 'implicit') return read
    this.#usersOwn ??= new Set(read.hooks.filter(isUsers).map(({ info }) => info.digest))
    const own = this.#usersOwn
    // With a person there, what appears in their settings meanwhile is shown first: a tool of this session may have written it.
    const loaded = trust === 'pinned' ? read : doubting(read, (hook) => isUsers(hook) && !own.has(hook.info.digest))
    const found = await findBrought(loaded, this.#options)
    const recalled = await this.#options.keeper.recall()
    this.#told.push(...recalled.problems)
    return this.#admit({ loaded, found, recalled })
  }

  /** The snapshot as it was loaded. */
  original(admitted: Snapshot): Snapshot {
    return this.#standings.get(admitted)?.loaded ?? admitted
  }

  /** The gate in front of every hook. */
  readonly gate = (hook: ConfiguredHook): Skipped | undefined => {
    const now = this.#now
    return now === undefined ? undefined : judgeTrust(hook, now)
  }

  /** The scripts that a hook was accepted with. */
  readonly scriptsOf = (hook: object): PinnedScripts | undefined => this.#scripts.get(hook)

  /** Where the folder stands; `undefined` under `implicit`. */
  get state(): TrustState | undefined {
    const now = this.#now
    if (now === undefined) return undefined
    const words = [...now.compared.trust.values()]
    const hookWord = (['changed', 'untrusted', 'trusted'] as const).find((word) => words.includes(word))
    const trust = now.found.units.length === 0 ? 'not-needed' : now.compared.complete ? 'trusted' : hookWord === 'changed' ? 'changed' : 'untrusted'
    const { sessionOnly } = this.#options.keeper
    return { ...this.#requestOf(now), trust, ...(now.since === undefined ? {} : { since: now.since }), ...(sessionOnly === undefined ? {} : { sessionOnly }) }
  }

  get pending(): readonly TrustRequest[] {
    const now = this.#now
    return now === undefined || !this.#isOpen(now) ? [] : [this.#requestOf(now)]
  }

  /** @throws HooklineError `invalid-option` for a digest that was never shown, and for a word that is no answer. */
  async answer(digest: string, answer: TrustAnswer): Promise<void> {
    const found = this.#shown.get(digest)
    if (found === undefined)
      throw new HooklineError('invalid-option', `trust.answer: there is no request with the digest ${JSON.stringify(digest)}.`, {
        hint: 'Answer one of trust.pending: a yes covers what was shown, and nothing later.',
      })
    if (!answers.includes(answer))
      throw new HooklineError('invalid-option', `trust.answer: the answer must be "once", "always" or "no", not ${JSON.stringify(answer)}.`)
    const { keeper } = this.#options
    await this.#options.onAnswer?.({ folder: keeper.folder, answer, digest, items: found.items.length })
    this.#answered = true
    if (answer === 'no') this.#refused.add(digest)
    else {
      this.#refused.delete(digest)
      const { units, items } = found
      const record = recordOf({ digest, units, items }, Date.now())
      this.#accepted.push(record)
      if (answer === 'always') await this.#keep(record)
    }
    this.#heard += 1
    this.refresh()
  }

  async revoke(folder: string): Promise<void> {
    await this.#options.onAnswer?.({ folder, answer: 'revoked' })
    if (!(await this.#options.keeper.forget(folder))) return
    this.#accepted = []
    this.#refused.clear()
    this.#answered = false
    this.#heard += 1
    const now = this.#now
    if (now === undefined) return
    this.#replace({ ...now, recalled: await this.#options.keeper.recall() })
  }

  /** Puts every answer into force in the settings that are in force now: one may have come while they were loaded. */
  refresh(): void {
    const now = this.#now
    if (now !== undefined && now.heard !== this.#heard) this.#replace(now)
  }

  /** Looks at the scripts again: one of them was found changed. */
  async recheck(): Promise<void> {
    const now = this.#now
    if (now === undefined) return
    const found = await findBrought(now.loaded, this.#options)
    // Somebody may have loaded anew meanwhile; then that look was the later one.
    if (this.#now?.loaded === now.loaded) this.#replace({ ...now, found })
  }

  /** Whether a call may have to wait for an answer at all. */
  get asks(): boolean {
    return typeof this.#options.trust === 'function'
  }

  /** The question that has to be answered before this call goes on; `undefined` when there is none. */
  pause(waiting: () => boolean): Promise<void> | undefined {
    const ask = this.#options.trust
    if (typeof ask !== 'function') return undefined
    const now = this.#now
    if (now === undefined || !this.#isOpen(now) || !waiting()) return undefined
    this.#asking ??= this.#ask(ask).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(ask: AskTrust): Promise<void> {
    const [request] = this.pending
    if (request === undefined) return
    const { answer, problem } = await askOnce(ask, request, this.#closing)
    if (problem !== undefined) this.#engine?.notice({ severity: 'warning', code: 'trust-question-failed', message: problem })
    try {
      await this.answer(request.digest, answer)
    } catch (error) {
      // The log that must hear the answer failed: nothing was accepted, and asking again at every event would help nobody.
      this.#refused.add(request.digest)
      throw error
    }
  }

  /** Whether rules, a mode or variables of the folder wait for an answer. */
  get holdsRules(): boolean {
    const now = this.#now
    return now?.found.units.some(({ kind, digest }) => kind !== 'hook' && !now.compared.accepted.has(digest)) === true
  }

  get #now(): Standing | undefined {
    return this.#engine === undefined ? undefined : this.#standings.get(this.#engine.snapshot)
  }

  #isOpen({ found, compared, waits }: Standing): boolean {
    return !this.#refused.has(found.digest) && (waits || !compared.complete)
  }

  #requestOf({ found, compared }: Standing): TrustRequest {
    return { folder: this.#options.keeper.folder, digest: found.digest, items: compared.items }
  }

  #admit({ loaded, found, recalled }: Pick<Standing, 'loaded' | 'found' | 'recalled'>): Snapshot {
    const own = this.#accepted.at(-1) ?? recalled.own
    const stored = recalled.own === undefined ? recalled.covering : [recalled.own, ...recalled.covering]
    const compared = compare(found, { records: [...this.#accepted, ...stored], ...(own === undefined ? {} : { own }) })
    const files = [...found.scripts.values()].flatMap(({ scripts }) => scripts.map(({ path }) => path))
    const admitted = applyTrust(loaded, compared, { watched: files })
    const { trust } = this.#options
    const nothing = typeof trust === 'function' && found.units.length === 0
    const waits = trust !== 'pinned' && !this.#answered && stored.length === 0 && !nothing
    this.#standings.set(admitted, {
      loaded,
      found,
      recalled,
      compared,
      waits,
      heard: this.#heard,
      ...(compared.since === undefined ? {} : { since: compared.since }),
    })
    this.#remember(found)
    for (const hook of admitted.hooks) {
      const scripts = found.scripts.get(hook.info.id)
      if (scripts !== undefined && hook.info.trust === 'trusted') this.#scripts.set(hook, scripts)
    }
    return admitted
  }

  #remember(found: Found): void {
    this.#shown.delete(found.digest)
    this.#shown.set(found.digest, found)
    for (const digest of this.#shown.keys()) {
      if (this.#shown.size <= mostShown) break
      this.#shown.delete(digest)
    }
  }

  #replace(standing: Pick<Standing, 'loaded' | 'found' | 'recalled'>): void {
    this.#engine?.replace(this.#admit(standing))
    this.#tell()
  }

  async #keep(record: TrustRecord): Promise<void> {
    const { keeper } = this.#options
    const kept = await keeper.keep(record)
    if (kept.kind === 'stored') return
    this.#engine?.notice({
      severity: 'warning',
      code: 'trust-not-stored',
      message: `The answer for ${keeper.folder} holds for this session only: ${kept.why}.`,
    })
  }

  /** What was wrong with the records is told as soon as somebody listens. */
  #tell(): void {
    for (const message of this.#told.splice(0)) this.#engine?.notice({ severity: 'warning', code: 'trust-store-broken', message })
  }
}
