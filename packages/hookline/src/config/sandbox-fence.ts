/** Decides the fence of each hook: its own word, else that of its file, and never less than users and organisations ask for. */
import type { HandlerType } from '../protocol/handler-spec.ts'
import type { SourceKind } from '../protocol/hook.ts'
import type { Sandbox } from '../protocol/sandbox.ts'
import type { CheckedHook } from './check-hook.ts'
import type { Findings } from './findings.ts'
import { type Asked, readSandbox, type SandboxFloors, stricter } from './sandbox.ts'
import type { Entry, ObjectTree, Tree } from './tree.ts'

/** What `hookSandbox` of one source says: for its own hooks, and for those of kinds of sources. */
export interface SandboxKeys {
  readonly here?: Asked
  readonly floors?: SandboxFloors
}

/** What the source of a hook asks for. */
export interface SandboxHome {
  /** For hooks of this file that say nothing themselves. */
  readonly sandboxHere?: Asked
  /** At least. */
  readonly sandboxFloor?: Sandbox
}

const kinds: readonly SourceKind[] = ['plugin', 'user', 'project', 'local', 'session', 'managed']
const tightest: Sandbox = { mode: 'restricted' }

/** Reads `hookSandbox`. What cannot be read counts as the tightest fence. */
export function readHookSandbox({ key, value }: Entry, kind: SourceKind, findings: Findings): SandboxKeys {
  const read = (tree: Tree, where: string): Asked => {
    const found = readSandbox(tree)
    if (found.kind === 'read') return found.asked
    findings.add('policy-entry', `${where}: ${found.why}; it counts as "restricted"`, { at: tree.at, severity: 'error' })
    return tightest
  }
  if (!isByKind(value)) return { here: read(value, key) }
  if (kind !== 'managed' && kind !== 'user') {
    findings.add('policy-entry', `only user and managed settings may say it by kind of source; here ${key} has no effect`, {
      at: value.at,
      hint: 'Write one word for the hooks of this file.',
    })
    return {}
  }
  const floors: Partial<Record<SourceKind, Sandbox>> = {}
  for (const one of value.entries) {
    const asked = read(one.value, `${key}.${one.key}`)
    if (asked !== 'none') floors[one.key as SourceKind] = asked
  }
  return { floors }
}

/** Where it can be asked whether a fence can be built. */
interface FenceSite {
  readonly findings: Findings
  readonly sandboxFault: (sandbox: Sandbox) => string | undefined
}

/** Says of `hookSandbox`, for the whole file or by kind of source, when this machine cannot build what it asks for. */
export function checkHookSandbox(settings: ObjectTree, { findings, sandboxFault }: FenceSite): void {
  const entry = settings.entries.find(({ key }) => key === 'hookSandbox') ?? settings.entries.find(({ key }) => key === 'sandbox')
  if (entry === undefined || (entry.key === 'sandbox' && entry.value.kind !== 'text' && !isByKind(entry.value))) return
  const check = (tree: Tree, { where, whose }: { where: string; whose: string }): void => {
    const found = readSandbox(tree)
    const fault = found.kind === 'misfit' || found.asked === 'none' ? undefined : sandboxFault(found.asked)
    if (fault !== undefined) findings.add('sandbox-unavailable', `${where}: the commands ${whose} do not run here: ${fault}`, { at: tree.at })
  }
  if (!isByKind(entry.value)) check(entry.value, { where: entry.key, whose: 'of this file that say nothing else themselves' })
  else for (const { key, value } of entry.value.entries) check(value, { where: `${entry.key}.${key}`, whose: `of ${key} settings` })
}

/** An object keyed by kinds of sources. */
export function isByKind(value: Tree): value is ObjectTree {
  return value.kind === 'object' && value.entries.length > 0 && value.entries.every((one) => kinds.includes(one.key as SourceKind))
}

/** Joins the floors of all sources. */
export function floorsOf(all: readonly SandboxFloors[]): SandboxFloors {
  const joined: Partial<Record<SourceKind, Sandbox>> = {}
  for (const floors of all) {
    for (const kind of kinds) {
      const asked = stricter(joined[kind], floors[kind])
      if (asked !== undefined && asked !== 'none') joined[kind] = asked
    }
  }
  return joined
}

// What runs code on this machine in the name of a hook.
const startsCode: readonly HandlerType[] = ['command', 'module']

/** The fence of one hook, or why it cannot have the one that was asked for. */
export function fenceOf({ type, sandbox: own }: CheckedHook, { sandboxHere, sandboxFloor }: SandboxHome): { sandbox?: Sandbox; sandboxFault?: string } {
  if (own !== undefined && 'why' in own) return { sandboxFault: own.why }
  if (!startsCode.includes(type)) return {}
  const asked = stricter(own?.asked ?? sandboxHere, sandboxFloor)
  if (asked === undefined || asked === 'none') return {}
  if (type === 'command') return { sandbox: asked }
  return { sandbox: asked, sandboxFault: 'a module runs inside of the host, where nothing can fence it in; make it a command' }
}
