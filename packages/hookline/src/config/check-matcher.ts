/** Compiles the matcher of a group and says what is wrong or odd about it. */
import type { NamedRow } from '../protocol/events.ts'
import type { HookId } from '../protocol/hook.ts'
import { toolNames } from '../protocol/tools.ts'
import type { Findings } from './findings.ts'
import { quoted } from './findings.ts'
import { counterpart, foreignTools, retiredTools } from './foreign-names.ts'
import { matcherRules } from './match-value.ts'
import { type BoundedRegex, compileMatcher, type Matcher } from './matcher.ts'
import { nearest } from './nearest.ts'
import { kindWord, plainOf, type Tree } from './tree.ts'

/** The group a matcher stands in. */
export interface MatcherSite {
  readonly row: NamedRow
  readonly findings: Findings
  readonly bounded?: BoundedRegex
  /** The first hook of the group: what findings name. */
  readonly hook: HookId
}

/** Compiles and checks. An invalid matcher comes back as such; its group is then off. */
export function checkMatcher(written: Tree | undefined, site: MatcherSite): Matcher {
  const { row, findings, bounded, hook } = site
  if (written === undefined) return compileMatcher(undefined)
  const say = { at: written.at, hook }
  const matcher = compileMatcher(written.kind === 'text' || written.kind === 'null' ? plainOf(written) : {}, {
    ...matcherRules(row),
    ...(bounded === undefined ? {} : { bounded }),
  })
  if (written.kind !== 'text' && written.kind !== 'null') {
    const hint = written.kind === 'list' ? 'Write the names in one text, separated by "|".' : 'Write a name, names separated by "|", or a pattern.'
    findings.add('wrong-type', `matcher: expected text, got ${kindWord(written)}`, { ...say, hint })
    return { ...matcher, detail: `matcher: expected text, got ${kindWord(written)}` }
  }
  if (matcher.kind === 'all') return matcher
  if (row.match === undefined) {
    findings.add('matcher-ignored', `${row.name} has nothing to match: the matcher ${quoted(matcher.text ?? '')} is ignored and the hooks always run`, {
      ...say,
      hint: 'Remove the matcher.',
    })
    return matcher.kind === 'invalid' ? { ...compileMatcher(undefined), ...(matcher.text === undefined ? {} : { text: matcher.text }) } : matcher
  }
  if (matcher.kind === 'invalid') {
    findings.add('invalid-matcher', `matcher ${quoted(matcher.text ?? '')}: ${matcher.detail}`, { ...say, hint: invalidHint(matcher) })
    return matcher
  }
  lint(matcher, site, say)
  return matcher
}

function invalidHint({ error, text = '' }: Matcher): string {
  if (error === 'too-long') return 'Split it into several groups.'
  if (error === 'unbounded') return 'Use at most one of "*", "+" and "{…}", none after a group, no look-around and no back-reference.'
  return text.startsWith('*')
    ? `Write ".${text}": a matcher is a regular expression, not a glob.`
    : 'A matcher is a JavaScript regular expression; put "\\\\" before brackets that are meant as such.'
}

type Say = { readonly at: number; readonly hook?: HookId; readonly severity?: 'warning' }

function lint(matcher: Matcher, { row, findings }: MatcherSite, say: Say): void {
  const text = matcher.text ?? ''
  if (matcher.warning !== undefined) {
    const nothing = matcher.names?.length === 0 || matcher.kind === 'regex'
    findings.add(matcher.names === undefined ? 'never-fires' : 'empty-matcher-member', `matcher ${quoted(text)}: ${matcher.warning}`, {
      ...say,
      ...(nothing && matcher.names !== undefined ? { hint: 'Write a name, or leave the matcher out for every value.' } : {}),
    })
    if (nothing) return
  }
  if (row.match === 'tool_name') {
    if (matcher.names === undefined) lintToolPattern(matcher, findings, say)
    else for (const name of matcher.names) lintTool(name, findings, say)
  } else lintValues(matcher, { row, findings }, say)
}

/** Says so when a tool name is a near miss, the name of another agent's tool, or unknown. */
export function lintTool(name: string, findings: Findings, say: Say): void {
  if (name.startsWith('mcp__')) {
    if (!/^mcp__.+?__./.test(name))
      findings.add('unknown-tool', `no tool called ${name}: it is an exact name, not a server; did you mean ${name.replace(/_+$/, '')}__.*?`, {
        ...say,
        hint: `For every tool of the server write "${name.replace(/_+$/, '')}__.*".`,
      })
    return
  }
  if (toolNames.includes(name) || retiredTools.includes(name)) return
  const meant = nearest(name, toolNames) ?? counterpart(foreignTools, name)
  if (meant !== undefined) findings.add('unknown-tool', `no tool called ${name}; did you mean ${meant}?`, { ...say, hint: 'Names are compared with case.' })
  else findings.add('unknown-tool', `no tool called ${name} is known here; it matches only if this agent has one`, { severity: 'info', ...say })
}

function lintToolPattern(matcher: Matcher, findings: Findings, say: Say): void {
  const text = matcher.text ?? ''
  if (/mcp_|plugin/.test(text) || /^\W*$/.test(text)) return
  if ([...toolNames, ...retiredTools].some((name) => matcher.test(name) !== false)) return
  findings.add('unknown-tool', `the pattern ${quoted(text)} matches no known tool`, { ...say, hint: 'A pattern is a regular expression, compared with case.' })
}

function lintValues(matcher: Matcher, { row, findings }: Pick<MatcherSite, 'row' | 'findings'>, say: Say): void {
  const field = row.match === undefined || row.matchAs !== undefined ? undefined : row.input[row.match]
  const values = field?.values
  if (values === undefined) return
  if (matcher.names === undefined) {
    if (!values.some((value) => matcher.test(value) !== false)) {
      findings.add('unknown-value', `the pattern ${quoted(matcher.text ?? '')} matches no known ${row.match} of ${row.name}`, {
        ...say,
        hint: `Known are ${values.join(', ')}.`,
      })
    }
    return
  }
  for (const name of matcher.names) {
    if (values.includes(name)) continue
    const meant = nearest(name, values)
    findings.add('unknown-value', `${row.name} has no ${row.match} called ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`, {
      ...say,
      hint: `Known are ${values.join(', ')}.`,
      ...(meant === undefined && field?.open ? { severity: 'info' as const } : {}),
    })
  }
}
