/** The `permissions` of a settings file: rules with their places, and the mode. */
import { parseRule } from '../permission/parse-rule.ts'
import type { Rule } from '../permission/rule.ts'
import type { Source } from '../protocol/hook.ts'
import type { PermissionMode } from '../protocol/permission.ts'
import { lintTool } from './check-matcher.ts'
import { comesWithFolder } from './env-block.ts'
import { type Findings, quoted } from './findings.ts'
import type { ConfiguredFolder, ConfiguredRule } from './snapshot.ts'
import { kindWord, memberOf, type ObjectTree, textOf } from './tree.ts'

/** What one file says about permissions. */
export interface PermissionLists {
  readonly rules: readonly ConfiguredRule[]
  readonly mode?: PermissionMode
  /** `additionalDirectories`. */
  readonly folders?: readonly ConfiguredFolder[]
  /** The mode that asks nothing is not to be had. */
  readonly bypassDisabled: boolean
}

/** A source that says nothing about permissions. */
export const noPermissions: PermissionLists = { rules: [], bypassDisabled: false }

const modes: readonly PermissionMode[] = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']
const lists = ['deny', 'ask', 'allow'] as const
/** So many rules of one list are read from a file that comes with a folder. */
const mostRules = 10_000

/** Reads the block. A rule that does not parse costs only itself. `root` is the folder that rule paths such as "/x" start from. */
export function readPermissions(settings: ObjectTree, { source, root, findings }: { source: Source; root: string; findings: Findings }): PermissionLists {
  const block = memberOf(settings, 'permissions')
  if (block !== undefined && block.kind !== 'object') findings.add('wrong-type', `permissions: expected object, got ${kindWord(block)}`, { at: block.at })
  const rules = lists.flatMap((list): ConfiguredRule[] => {
    const written = memberOf(block, list)
    if (written === undefined) return []
    if (written.kind !== 'list') {
      findings.add('wrong-type', `permissions.${list}: expected list, got ${kindWord(written)}`, { at: written.at, hint: 'Write ["Bash(git push *)"].' })
      return []
    }
    if (comesWithFolder(source.kind) && written.items.length > mostRules)
      findings.add('too-many', `permissions.${list}: more than ${mostRules.toLocaleString('en')} rules; the others are not read`, {
        at: written.items[mostRules]?.at ?? written.at,
        hint: 'Write fewer and wider rules.',
      })
    return (comesWithFolder(source.kind) ? written.items.slice(0, mostRules) : written.items).flatMap((item): ConfiguredRule[] => {
      const text = textOf(item)
      const parsed = parseRule(text ?? 0)
      if (parsed.kind === 'rule') {
        lintRule(parsed.rule, list, { findings, at: item.at })
        return [{ list, rule: parsed.rule, source: { ...source, ...findings.locate(item.at) }, root }]
      }
      findings.add(
        'invalid-rule',
        text === undefined ? `permissions.${list}: expected text, got ${kindWord(item)}` : `permissions.${list} ${quoted(text)}: ${parsed.message}`,
        {
          at: item.at,
          within: text === undefined ? undefined : parsed.offset,
          hint: parsed.hint,
        },
      )
      return []
    })
  })
  const mode = readMode(block?.kind === 'object' ? block : undefined, { source, findings })
  const folders = readFolders(block?.kind === 'object' ? block : undefined, { source, findings })
  return {
    rules,
    ...(mode === undefined ? {} : { mode }),
    ...(folders.length === 0 ? {} : { folders }),
    bypassDisabled: textOf(memberOf(block, 'disableBypassPermissionsMode')) === 'disable',
  }
}

/** A rule that can be read and is about nothing is a slip of the pen, and of a deny rule nobody would notice. */
function lintRule({ tool }: Rule, list: (typeof lists)[number], { findings, at }: { findings: Findings; at: number }): void {
  if (!tool.includes('*')) {
    if (!tool.startsWith('mcp__') && tool !== 'Cd') lintTool(tool, findings, { at, severity: 'warning' })
  } else if (list === 'allow' && !tool.startsWith('mcp__')) {
    findings.add('never-fires', `permissions.allow ${quoted(tool)}: a pattern for the names of tools permits nothing`, {
      at,
      hint: 'Name each tool that may run.',
    })
  }
}

function readFolders(block: ObjectTree | undefined, { source, findings }: { source: Source; findings: Findings }): ConfiguredFolder[] {
  const written = memberOf(block, 'additionalDirectories')
  if (written === undefined) return []
  if (written.kind !== 'list') {
    findings.add('wrong-type', `permissions.additionalDirectories: expected list, got ${kindWord(written)}`, { at: written.at, hint: 'Write ["../docs"].' })
    return []
  }
  return written.items.slice(0, mostRules).flatMap((item): ConfiguredFolder[] => {
    const path = textOf(item)?.trim()
    if (path !== undefined && path !== '' && !path.includes('\0')) return [{ path, source: { ...source, ...findings.locate(item.at) } }]
    findings.add('wrong-type', `permissions.additionalDirectories: expected the path of a folder, got ${path === '' ? 'nothing' : kindWord(item)}`, {
      at: item.at,
    })
    return []
  })
}

function readMode(block: ObjectTree | undefined, { source, findings }: { source: Source; findings: Findings }): PermissionMode | undefined {
  const written = memberOf(block, 'defaultMode')
  if (written === undefined) return undefined
  const mode = modes.find((known) => known === textOf(written))
  if (mode === undefined) {
    findings.add(
      'wrong-type',
      `permissions.defaultMode: expected one of ${modes.join(', ')}, got ${written.kind === 'text' ? quoted(written.value) : kindWord(written)}`,
      { at: written.at },
    )
    return undefined
  }
  if (mode === 'bypassPermissions' && comesWithFolder(source.kind)) {
    findings.add('policy-entry', `permissions.defaultMode: a ${source.kind} file may not choose bypassPermissions; it has no effect`, {
      at: written.at,
      hint: 'Choose it in your user settings.',
    })
    return undefined
  }
  return mode
}
