/** What was granted in a session beside the settings: rules and a mode, kept until the session ends (protocol §6). */
import type { ScopeCore } from '../engine/scope.ts'
import type { SessionState } from '../engine/seat.ts'
import type { ListedRule } from '../permission/judge-rules.ts'
import { parseRule } from '../permission/parse-rule.ts'
import type { Rule } from '../permission/rule.ts'
import type { SourceKind } from '../protocol/hook.ts'
import type { Destination, PermissionMode, PermissionUpdate } from '../protocol/permission.ts'

type RuleUpdate = Extract<PermissionUpdate, { rules: unknown }>

interface GrantedRule {
  readonly listed: ListedRule
  readonly destination: Destination
}

/** The settings that an update of this destination speaks of; `session` speaks of what was granted here alone. */
const kinds: Readonly<Record<Destination, SourceKind | undefined>> = {
  userSettings: 'user',
  projectSettings: 'project',
  localSettings: 'local',
  session: undefined,
}

/** What applying updates takes. */
export interface Applying {
  /** The folder that a rule such as "/src" starts from. */
  readonly root: string
  /** The host's mode now; absent: the host has none. */
  readonly mode: PermissionMode | undefined
}

const bySession = new WeakMap<SessionState, Grants>()

/** What was granted in the session of a scope; its subagents share it. */
export function grantsOf({ seat }: ScopeCore): Grants {
  let own = bySession.get(seat.session)
  if (own === undefined) {
    own = new Grants()
    bySession.set(seat.session, own)
  }
  return own
}

/** The grants of one session. They widen as far as the settings' deny and ask rules let them, and no further. */
export class Grants {
  #rules: GrantedRule[] = []
  /** Allow rules of settings that were taken back, by kind of source and text. */
  readonly #withdrawn = new Set<string>()
  readonly #told = new Set<string>()
  #seen: { readonly lists: readonly ListedRule[]; readonly beside: readonly ListedRule[] } | undefined
  #mode: { readonly mode: PermissionMode; readonly over: PermissionMode } | undefined

  /** The settings' lists as this session sees them. */
  beside(lists: readonly ListedRule[]): readonly ListedRule[] {
    if (this.#rules.length === 0 && this.#withdrawn.size === 0) return lists
    // The same array as long as nothing changes: what is known about it is kept with it.
    if (this.#seen?.lists === lists) return this.#seen.beside
    const standing = lists.filter(({ list, rule, source }) => list !== 'allow' || !this.#withdrawn.has(keyOf(source?.kind, rule.text)))
    const beside = [...standing, ...this.#rules.map(({ listed }) => listed)]
    this.#seen = { lists, beside }
    return beside
  }

  /** The mode of the session: the one that was set here, until the host sets another one itself. */
  modeOver(host: PermissionMode | undefined): PermissionMode | undefined {
    if (this.#mode === undefined) return host
    if (this.#mode.over === host) return this.#mode.mode
    this.#mode = undefined
    return host
  }

  /** True the first time. */
  tellOnce(what: string): boolean {
    if (this.#told.has(what)) return false
    this.#told.add(what)
    return true
  }

  /** Puts updates in force for this session. Gives the texts of rules that cannot be used. */
  apply(updates: readonly PermissionUpdate[], settings: readonly ListedRule[], { root, mode }: Applying): readonly string[] {
    return updates.flatMap((update) => {
      if (update.type === 'setMode') {
        if (mode !== undefined) this.#mode = { mode: update.mode, over: mode }
        return []
      }
      return 'rules' in update ? this.#applyRules(update, settings, root) : []
    })
  }

  #applyRules(update: RuleUpdate, settings: readonly ListedRule[], root: string): string[] {
    const { type, behavior, destination } = update
    this.#seen = undefined
    const unusable: string[] = []
    const rules = update.rules.flatMap(({ toolName, ruleContent }): Rule[] => {
      const rule = ruleOf(toolName, ruleContent)
      if (rule === undefined) unusable.push(textOf(toolName, ruleContent))
      return rule === undefined ? [] : [rule]
    })
    const named = new Set(rules.map(({ text }) => text))
    if (type !== 'addRules') {
      const goes = (text: string) => type === 'replaceRules' || named.has(text)
      this.#rules = this.#rules.filter(({ listed, destination: own }) => own !== destination || listed.list !== behavior || !goes(listed.rule.text))
      // What settings deny or ask for stands until the settings change: a session only narrows them.
      if (behavior === 'allow')
        for (const { list, rule, source } of settings)
          if (list === 'allow' && source?.kind === kinds[destination] && goes(rule.text)) this.#withdrawn.add(keyOf(source?.kind, rule.text))
    }
    if (type === 'removeRules') return unusable
    for (const rule of rules) {
      const known = this.#rules.some(({ listed, destination: own }) => own === destination && listed.list === behavior && listed.rule.text === rule.text)
      if (!known) this.#rules.push({ listed: { list: behavior, rule, root }, destination })
    }
    return unusable
  }
}

function keyOf(kind: SourceKind | undefined, text: string): string {
  return `${kind ?? ''} ${text}`
}

function textOf(toolName: string, content: string | undefined): string {
  return content === undefined ? toolName : `${toolName}(${content})`
}

/** The rule of an update. Brackets in the content are part of it, balanced or not. */
function ruleOf(toolName: string, content: string | undefined): Rule | undefined {
  const plain = parseRule(textOf(toolName, content))
  if (plain.kind === 'rule' && (content === undefined || plain.rule.specifier === content || plain.rule.specifier === undefined)) return plain.rule
  const escaped = parseRule(textOf(toolName, content?.replace(/[()]/g, '\\$&')))
  return escaped.kind === 'rule' ? { ...escaped.rule, text: textOf(toolName, content) } : undefined
}
