/** Lists of rules made ready for many calls: which rules can be about a tool, and about a command that begins with a word. */
import { type RuleCall, readingOf } from './call.ts'
import { isAbout, isShellRule, patternOf } from './look.ts'
import type { Rule } from './rule.ts'
import { coveredAs, firstWordOf, mayBeginWith } from './shell/first-words.ts'

/** A rule in its list. */
export interface InList {
  readonly list: 'deny' | 'ask' | 'allow'
  readonly rule: Rule
}

/** The rules of one list that may say more about a call than "another tool", in their order. */
export interface Shelf<L extends InList> {
  readonly rules: readonly L[]
  /** Those that could be about this call; the others would say no. */
  ruling(call: RuleCall): readonly L[]
}

/** The rules about one tool. */
export interface AboutTool<L extends InList> {
  readonly deny: Shelf<L>
  readonly ask: Shelf<L>
  readonly allow: Shelf<L>
  /** Allow rules for files, which a command's redirects need too. */
  readonly edits: readonly L[]
}

// Tools are few; the bound only keeps a host that makes names up from growing this for ever.
const mostTools = 200
const tables = new WeakMap<readonly InList[], Map<string, AboutTool<InList>>>()

/** What the lists hold about the tool of this call; made once for each tool. The lists must not change. */
export function rulesAbout<L extends InList>(lists: readonly L[], call: RuleCall): AboutTool<L> {
  let table = tables.get(lists) as Map<string, AboutTool<L>> | undefined
  if (table === undefined || table.size > mostTools) {
    table = new Map()
    tables.set(lists, table)
  }
  const key = call.mcpServer === undefined ? call.tool : `${call.tool}\n${call.mcpServer.name}`
  let about = table.get(key)
  if (about === undefined) {
    about = gather(lists, call)
    table.set(key, about)
  }
  return about
}

function gather<L extends InList>(lists: readonly L[], call: RuleCall): AboutTool<L> {
  const shelf = (list: InList['list'], use: 'restrict' | 'grant'): Shelf<L> =>
    makeShelf(
      lists.filter((listed) => listed.list === list && isAbout(listed.rule, call, use)),
      use,
    )
  return {
    deny: shelf('deny', 'restrict'),
    ask: shelf('ask', 'restrict'),
    allow: shelf('allow', 'grant'),
    edits: lists.filter(({ list, rule }) => list === 'allow' && rule.tool === 'Edit'),
  }
}

function makeShelf<L extends InList>(rules: readonly L[], use: 'restrict' | 'grant'): Shelf<L> {
  /** Places of rules that are looked at whatever a command begins with. */
  const always: number[] = []
  const byFirst = new Map<string, number[]>()
  rules.forEach(({ rule }, at) => {
    const first = isShellRule(rule) ? firstWordOf(patternOf(rule)) : undefined
    const places = first === undefined ? always : byFirst.get(first)
    if (places !== undefined) places.push(at)
    else if (first !== undefined) byFirst.set(first, [at])
  })
  const usual = always.map((at) => rules[at] as L)
  return {
    rules,
    ruling(call) {
      if (byFirst.size === 0) return rules
      const reading = readingOf(call)
      const words = reading === undefined ? undefined : use === 'grant' ? coveredAs(reading) : mayBeginWith(reading)
      if (words === undefined) return rules
      let places: number[] | undefined
      for (const word of words) {
        const own = byFirst.get(word)
        if (own !== undefined) places = [...(places ?? always), ...own]
      }
      return places === undefined ? usual : places.sort((a, b) => a - b).map((at) => rules[at] as L)
    },
  }
}
