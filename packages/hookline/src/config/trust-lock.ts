/** The lock file that a repository may carry: what its own settings run, sorted, so that a review sees every change of it. */
import type { TrustItem } from '../protocol/ports.ts'
import type { Found } from './trust-brought.ts'
import type { PinnedScripts } from './trust-scripts.ts'

/** Where it stands in a repository. */
export const lockPlace = '.hookline/hooks.lock'

/** What the file says. */
export interface Lock {
  /** Joins everything below; what `fire --trust=DIGEST` takes where nothing else comes with the folder. */
  readonly digest: string
  readonly items: readonly TrustItem[]
}

/** The lock of what was found: without places and ids, which change when nothing else does, and with digests in place of texts of scripts. */
export function lockOf({ digest, items, scripts }: Found): Lock {
  const digests = new Map(
    [...scripts.values()].flatMap((own: PinnedScripts) => own.scripts.map((script) => [script.shown, script.digest ?? 'missing'] as const)),
  )
  const kept = items.map(({ kind, text, when, file }): TrustItem => {
    const of = { ...(when === undefined ? {} : { when }), ...(file === undefined || kind === 'rule' ? {} : { file }) }
    return { kind, text: kind === 'script' ? (digests.get(file ?? '') ?? '') : text, ...of }
  })
  return { digest, items: kept.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }
}

function keyOf({ kind, when = '', file = '', text }: TrustItem): string {
  return [['env', 'rule', 'script'].includes(kind) ? `~${kind}` : when, file, kind, text].join('\n')
}

/** The text of the file: JSON, one thing after the other, with a line for each field. */
export function writeLock({ digest, items }: Lock): string {
  const of = (...kinds: readonly string[]) => items.filter(({ kind }) => kinds.includes(kind))
  const hooks = items.filter(({ kind }) => !['env', 'rule', 'script'].includes(kind))
  const lock = {
    version: 1,
    digest,
    hooks: hooks.map(({ kind, text, when, file }) => ({ when, [kind]: text, file })),
    scripts: Object.fromEntries(of('script').map(({ file = '', text }) => [file, text])),
    env: of('env').map(({ text }) => text),
    rules: of('rule').map(({ text }) => text),
  }
  return `${JSON.stringify(lock, undefined, 2)}\n`
}

const hookKinds: readonly string[] = ['command', 'url', 'prompt', 'module']

/** Reads the file; `undefined` when it is not one. */
export function readLock(text: string): Lock | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || value['version'] !== 1) return undefined
  const { digest, hooks, scripts, env, rules } = value
  if (typeof digest !== 'string' || !Array.isArray(hooks) || !isObject(scripts) || !isTexts(env) || !isTexts(rules)) return undefined
  const items: TrustItem[] = []
  for (const hook of hooks as unknown[]) {
    const kind = isObject(hook) ? hookKinds.find((one) => typeof hook[one] === 'string') : undefined
    if (!isObject(hook) || kind === undefined) return undefined
    const { when, file } = hook
    items.push({
      kind: kind as TrustItem['kind'],
      text: String(hook[kind]),
      ...(typeof when === 'string' ? { when } : {}),
      ...(typeof file === 'string' ? { file } : {}),
    })
  }
  for (const [file, bytes] of Object.entries(scripts)) items.push({ kind: 'script', text: String(bytes), file })
  for (const one of env) items.push({ kind: 'env', text: one })
  for (const one of rules) items.push({ kind: 'rule', text: one })
  return { digest, items }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
