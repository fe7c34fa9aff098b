/** One rule against one call: which part of the rule decides, and what it says. */
import { toolAliases } from '../protocol/tools.ts'
import { anyOf, cannotTell, type Look, no, yes } from './answer.ts'
import { lookAtAgent, lookAtArgument, lookAtDomain, lookAtSkill } from './argument-rule.ts'
import { type RuleCall, readingOf } from './call.ts'
import { lookAtPath } from './path-rule.ts'
import { lookAtPowerShell } from './powershell-rule.ts'
import type { Rule, RuleUse } from './rule.ts'
import { coversCommand } from './shell/covers.ts'
import { mayConcern, mayRun } from './shell/may-run.ts'
import { compilePattern, type ShellPattern } from './shell/pattern.ts'
import { targetsOf, writtenBy } from './targets.ts'
import { inFamily, namesTool } from './tool-name.ts'

const fileTools = new Set(['Edit', 'Glob', 'Grep', 'LSP', 'MultiEdit', 'NotebookEdit', 'Read', 'Write', 'Cd'])
const patterns = new WeakMap<Rule, ShellPattern>()

/** The rule's shell pattern, compiled once. */
export function patternOf(rule: Rule): ShellPattern {
  let pattern = patterns.get(rule)
  if (pattern === undefined) {
    pattern = compilePattern(rule.specifier ?? '*')
    patterns.set(rule, pattern)
  }
  return pattern
}

/** Whether the rule has more to say about calls of this tool than that they are of another one. */
export function isAbout(rule: Rule, call: RuleCall, use: RuleUse): boolean {
  return namesTool(rule.tool, call, use) || (rule.specifier !== undefined && reaches(rule, call, use))
}

/** What a rule says about a call when it is used in this way. */
export function lookAt(rule: Rule, call: RuleCall, use: RuleUse): Look {
  if (namesTool(rule.tool, call, use)) return rule.specifier === undefined ? yes(`the tool is ${call.tool}`) : lookAtSpecifier(rule, call, use)
  const beyond = lookBeyond(rule, call, use)
  return beyond ?? no(`the tool is ${call.tool}, not ${rule.tool}`)
}

/** Rules about one tool that reach another: reading and editing, and the files that a shell command writes. */
function reaches({ tool }: Rule, call: RuleCall, use: RuleUse): boolean {
  if (use === 'restrict') return (tool === 'Read' && inFamily('Edit', call.tool)) || (tool === 'Edit' && inFamily('Bash', call.tool))
  return use === 'grant' && tool === 'Edit' && inFamily('Read', call.tool)
}

function lookBeyond(rule: Rule, call: RuleCall, use: RuleUse): Look | undefined {
  if (rule.specifier === undefined || !reaches(rule, call, use)) return undefined
  if (!inFamily('Bash', call.tool)) return lookAtTargets(rule, call, use)
  const looks = writtenBy(call).map(({ shown, path }) =>
    path === undefined
      ? cannotTell(
          shown === undefined ? 'not all of the command was read, and it could write any file' : `the command writes "${shown}", which could be any file`,
        )
      : lookAtPath(rule, { path }, { call, use }),
  )
  return anyOf(looks, no('the command writes no file by a redirect'))
}

function lookAtSpecifier(rule: Rule, call: RuleCall, use: RuleUse): Look {
  const tool = Object.hasOwn(toolAliases, rule.tool) ? toolAliases[rule.tool] : rule.tool
  if (tool === 'Bash' || tool === 'Monitor') return lookAtShell(rule, call, use)
  if (tool === 'PowerShell') return lookAtPowerShell(rule.specifier ?? '*', call.input['command'], use)
  if (tool !== undefined && fileTools.has(tool)) {
    if (use === 'grant' && tool !== 'Read' && tool !== 'Edit')
      return no(`to permit, write ${inFamily('Edit', tool) ? 'Edit' : 'Read'}(${rule.specifier}): ${tool}(path) is never consulted`)
    return withArgument(lookAtTargets(rule, call, use), { rule, call, use })
  }
  if (tool === 'WebFetch') return lookAtDomain(rule, call) ?? withArgument(no('the rule names no host'), { rule, call, use })
  if (tool === 'Agent') return withArgument(lookAtAgent(rule, call), { rule, call, use })
  if (tool === 'Skill') return lookAtSkill(rule, call, use)
  return withArgument(cannotTell(`what "${rule.specifier}" means to ${call.tool} is not known`), { rule, call, use })
}

/** An argument rule forbids, asks and filters; it never permits (protocol §4.4). */
function withArgument(look: Look, { rule, call, use }: { rule: Rule; call: RuleCall; use: RuleUse }): Look {
  const argument = use === 'grant' ? undefined : lookAtArgument(rule, call)
  if (argument === undefined || look.answer === 'yes') return look
  return argument.answer === 'yes' || look.answer === 'cannot-tell' ? argument : look
}

function lookAtTargets(rule: Rule, call: RuleCall, use: RuleUse): Look {
  const targets = targetsOf(call)
  if (targets === undefined) return cannotTell(`the call does not say which file ${call.tool} touches`)
  const looks = targets.map((target) => lookAtPath(rule, target, { call, use }))
  if (use === 'grant') return looks.find((l) => l.answer !== 'yes') ?? looks[0] ?? no('the call touches no file')
  return anyOf(looks, no('the call touches no file'))
}

// Arguments of the shell tools that a rule may name; anything else before a colon is the start of a command.
const shellArgument = /^(?:run_in_background:(?:true|false)|timeout:\d+|description:.*\S.*)$/

/** The rule holds a pattern for commands of the shell, and names no argument of the tool. */
export function isShellRule({ tool, specifier }: Rule): boolean {
  const now = Object.hasOwn(toolAliases, tool) ? toolAliases[tool] : tool
  return specifier !== undefined && (now === 'Bash' || now === 'Monitor') && !namesArgument(specifier)
}

function namesArgument(specifier: string): boolean {
  return shellArgument.test(specifier) && !specifier.endsWith(':*')
}

function lookAtShell(rule: Rule, call: RuleCall, use: RuleUse): Look {
  const specifier = rule.specifier ?? '*'
  if (use !== 'grant' && namesArgument(specifier)) return lookAtArgument(rule, call) ?? no('the rule names no argument')
  const reading = readingOf(call)
  if (reading === undefined) return cannotTell('the call has no command')
  if (use === 'grant') return coversCommand(reading, [patternOf(rule)], () => false)
  return use === 'condition' ? mayConcern(reading, patternOf(rule)) : mayRun(reading, patternOf(rule))
}
