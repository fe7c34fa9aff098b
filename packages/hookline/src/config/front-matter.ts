/** Hooks in the front matter of skills and agents (protocol §5.2): found and read as data, registered when the skill or agent starts. */
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { events, type NamedRow } from '../protocol/events.ts'
import type { HookInfo } from '../protocol/hook.ts'
import type { Surroundings } from './check-command.ts'
import { assembleHook } from './compile-hook.ts'
import { Findings } from './findings.ts'
import { freezeDeep } from './freeze.ts'
import type { BoundedRegex } from './matcher.ts'
import { folderOf } from './paths.ts'
import { noPolicy, offFor } from './policy.ts'
import { locator } from './positions.ts'
import { readHooks } from './read-hooks.ts'
import { stricter } from './sandbox.ts'
import type { ConfiguredHook, Policy } from './snapshot.ts'
import { type Entry, maxDepth, memberOf, type Tree, textOf } from './tree.ts'

/** What the file is, and what its hooks get. */
export interface FrontMatterOptions {
  /** Default: a skill. An agent's own stop is the stop of a subagent. */
  readonly of?: 'skill' | 'agent'
  /** Source id, for example "session:2". */
  readonly id?: string
  readonly trust?: HookInfo['trust']
  readonly policy?: Policy
  /** The agent came with a plugin: then its hooks are not read. */
  readonly fromPlugin?: boolean
  readonly events?: readonly NamedRow[]
  readonly bounded?: BoundedRegex
  readonly around?: Surroundings
  readonly env?: Readonly<Record<string, string>>
}

/** What a file says at its head. */
export interface FrontMatter {
  readonly name?: string
  readonly description?: string
  readonly hooks: readonly ConfiguredHook[]
  readonly diagnostics: readonly Diagnostic[]
}

const longest = 100_000

/** Reads the head of a SKILL.md or an agent's file. A text without one has no hooks. Never throws. */
export function readFrontMatter(text: string, file: string, options: FrontMatterOptions = {}): FrontMatter {
  const body = text.replace(/^\uFEFF/, '')
  const findings = new Findings(file, locator(body))
  const tree = readHead(body, findings)
  if (tree === undefined) return freezeDeep({ hooks: [], diagnostics: findings.list })
  const { of = 'skill', id = 'session:1', trust = 'not-needed', policy = noPolicy, fromPlugin = false, env, ...site } = options
  const written = memberOf(tree, 'hooks')
  const source = { id, kind: 'session' as const, file }
  const ignored = fromPlugin && of === 'agent'
  if (ignored && written !== undefined)
    findings.add('policy-entry', 'hooks of an agent that comes with a plugin are not read', {
      at: written.at,
      hint: 'Move them into hooks/hooks.json of the plugin.',
    })
  const seeds = ignored ? [] : readHooks(written, { ...site, source, findings, ...(of === 'agent' ? { rename: asSubagent } : {}) })
  const off = offFor(policy, 'session', false)
  // What comes with the folder is fenced in as the folder's settings are.
  const asked = stricter(policy.hookSandbox.session, trust === 'not-needed' ? undefined : policy.hookSandbox.project)
  const floor = asked === 'none' ? undefined : asked
  const home = {
    trust,
    root: folderOf(file),
    requireFailClosed: policy.requireFailClosed,
    ...(floor === undefined ? {} : { sandboxFloor: floor }),
    ...(env === undefined ? {} : { env }),
    ...(off === undefined ? {} : { off }),
  }
  const name = textOf(memberOf(tree, 'name'))
  const description = textOf(memberOf(tree, 'description'))
  return freezeDeep({
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    hooks: seeds.map((seed) => assembleHook(seed, home)),
    diagnostics: findings.list,
  })
}

const stop: NamedRow = events.Stop
const asSubagent = (row: NamedRow): NamedRow => (row.name === stop.name ? events.SubagentStop : row)

function readHead(body: string, findings: Findings): Tree | undefined {
  const head = /^---[ \t]*(?:\r\n|\n)/.exec(body)?.[0]
  if (head === undefined) return undefined
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(body.slice(head.length))
  const yaml = body.slice(head.length, end === null ? undefined : head.length + end.index)
  const excess = yaml.length > longest ? 'it has over 100,000 characters' : bracketDepth(yaml) > maxDepth ? 'it is nested too deeply' : undefined
  if (excess !== undefined) {
    findings.add('invalid-front-matter', `the front matter is not read: ${excess}`, { at: 0 })
    return undefined
  }
  try {
    const document = parseDocument(yaml, { schema: 'core', prettyErrors: false })
    const first = document.errors[0]
    if (first !== undefined) {
      findings.add('invalid-front-matter', `the front matter is not YAML: ${first.message.split('\n')[0]}`, { at: head.length + first.pos[0] })
      return undefined
    }
    return fromYaml(document.contents, { base: head.length, depth: 0, findings })
  } catch (error) {
    // The parser is recursive: nesting without end exhausts the stack.
    findings.add('invalid-front-matter', `the front matter cannot be read: ${error instanceof RangeError ? 'it is nested too deeply' : String(error)}`, {
      at: 0,
    })
    return undefined
  }
}

/** How deep brackets are nested, those inside texts included: judged before the parser, which takes long over thousands of them. */
function bracketDepth(yaml: string): number {
  let depth = 0
  let deepest = 0
  for (const char of yaml) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if ((char === ']' || char === '}') && depth > 0) depth -= 1
  }
  return deepest
}

interface Walk {
  readonly base: number
  readonly depth: number
  readonly findings: Findings
}

function fromYaml(node: unknown, walk: Walk): Tree {
  const at = walk.base + startOf(node)
  if (walk.depth > maxDepth) throw new RangeError('too deep')
  const inside = { ...walk, depth: walk.depth + 1 }
  if (isMap(node)) {
    const entries = node.items.map(
      ({ key, value }): Entry => ({ key: String(isScalar(key) ? key.value : key), keyAt: walk.base + startOf(key), value: fromYaml(value, inside) }),
    )
    return { kind: 'object', at, entries }
  }
  if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => fromYaml(item, inside)) }
  if (node === null) return { kind: 'null', at }
  if (!isScalar(node)) {
    walk.findings.add('invalid-front-matter', 'aliases are not read in front matter', { at, hint: 'Write the value out.' })
    return { kind: 'other', at, value: undefined }
  }
  const { value } = node
  if (typeof value === 'string') return { kind: 'text', at, value }
  if (typeof value === 'number') return { kind: 'number', at, value }
  if (typeof value === 'boolean') return { kind: 'flag', at, value }
  return value === null ? { kind: 'null', at } : { kind: 'other', at, value }
}

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0
}
