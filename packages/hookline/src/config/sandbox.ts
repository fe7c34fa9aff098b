/** Reads the `sandbox` setting, and joins what a hook, its file and its users ask for: the strictest wins. */
import type { SourceKind } from '../protocol/hook.ts'
import { type Sandbox, type SandboxMode, sandboxModes } from '../protocol/sandbox.ts'
import { kindWord, memberOf, type Tree, textOf, textsOf } from './tree.ts'

/** What was asked for; `none` asks for nothing, and says so. */
export type Asked = Sandbox | 'none'

/** The fences that users and organisations ask for, by kind of source. */
export type SandboxFloors = Readonly<Partial<Record<SourceKind, Sandbox>>>

/** A setting that was read, or why it cannot be. */
export type SandboxRead = { readonly kind: 'read'; readonly asked: Asked } | { readonly kind: 'misfit'; readonly why: string }

const members = ['mode', 'read', 'write', 'network']
const words = sandboxModes.map((mode) => `"${mode}"`).join(' or ')

/** Reads a setting. */
export function readSandbox(tree: Tree): SandboxRead {
  if (tree.kind !== 'object' && tree.kind !== 'text') return misfit(`expected ${words} or an object, got ${kindWord(tree)}`)
  const written = tree.kind === 'text' ? tree : memberOf(tree, 'mode')
  const mode = sandboxModes.find((word) => word === textOf(written))
  if (mode === undefined) return misfit(written === undefined ? `"mode" is missing: write ${words}` : `expected ${words}, got ${shown(written)}`)
  if (tree.kind === 'text') return { kind: 'read', asked: mode === 'none' ? mode : { mode } }
  const stranger = tree.entries.find(({ key }) => !members.includes(key))
  if (stranger !== undefined) return misfit(`unknown key ${JSON.stringify(stranger.key)}; known are ${members.join(', ')}`)
  const [read, write, network] = ['read', 'write', 'network'].map((key) => memberOf(tree, key))
  for (const [key, list] of [
    ['read', read],
    ['write', write],
  ] as const)
    if (list !== undefined && textsOf(list)?.every(isPath) !== true) return misfit(`${key}: expected a list of paths that begin with "/" or "~/"`)
  if (network !== undefined && network.kind !== 'flag') return misfit(`network: expected true or false, got ${kindWord(network)}`)
  if (mode === 'none') return { kind: 'read', asked: mode }
  return {
    kind: 'read',
    asked: {
      mode,
      ...(read === undefined ? {} : { read: textsOf(read) as string[] }),
      ...(write === undefined ? {} : { write: textsOf(write) as string[] }),
      ...(network?.kind === 'flag' ? { network: network.value } : {}),
    },
  }
}

function misfit(why: string): SandboxRead {
  return { kind: 'misfit', why }
}

function shown(tree: Tree): string {
  return tree.kind === 'text' ? JSON.stringify(tree.value) : kindWord(tree)
}

function isPath(path: string): boolean {
  return /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(path) && !path.includes('\0')
}

/** What both ask for. Of two equal modes only the exceptions that both make are made. */
export function stricter(one: Asked | undefined, other: Asked | undefined): Asked | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const rank = strength(one) - strength(other)
  if (rank !== 0 || one === 'none' || other === 'none') return rank > 0 ? one : other
  const both = (a: readonly string[] = [], b: readonly string[] = []) => a.filter((path) => b.includes(path))
  const [read, write] = [both(one.read, other.read), both(one.write, other.write)]
  return {
    mode: one.mode,
    ...(read.length === 0 ? {} : { read }),
    ...(write.length === 0 ? {} : { write }),
    ...(one.network === true && other.network === true ? { network: true } : {}),
  }
}

function strength(asked: Asked): number {
  const mode: SandboxMode = asked === 'none' ? asked : asked.mode
  return sandboxModes.indexOf(mode)
}
