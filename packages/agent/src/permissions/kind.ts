/** What a call does to the machine, as far as it can be told: reads, edits in the workspace, or anything. */
import { compileRules, type PermissionMode, type ToolCall } from 'hookline'
import type { AnyTool } from '../tools/tool.ts'
import { isGuarded, isInside, type Place, pathOf } from './place.ts'
import { gitIsPlain, namesOnlyInside, wordsOf, writesOnlyInside } from './shell-words.ts'

export type CallKind = 'read' | 'edit' | 'other'

/** Where the call stands, and the mode that asks. */
export interface KindPlace extends Place {
  mode: PermissionMode
}

/** A shell command counts as reading when it is a plain one of a known list without side effects. */
export function kindOfCall(call: ToolCall, tool: AnyTool | undefined, place: KindPlace): CallKind {
  if (call.name === 'Bash') return kindOfCommand(String(call.input['command'] ?? ''), place)
  const kind = tool?.kind ?? 'other'
  if (kind === 'other') return 'other'
  const path = pathOf(call)
  // Plan mode refuses every edit; the other modes let edits go by inside the workspace only.
  if (kind === 'edit' && place.mode === 'plan') return 'edit'
  // The pattern of a search for names may lead out as well as its folder.
  if (call.name === 'Glob' && /^[/~]|\.\./.test(String(call.input['pattern'] ?? ''))) return 'other'
  return isInside(path ?? '.', place) ? kind : 'other'
}

// Commands that print and change nothing, whatever their arguments are.
const readers = [
  'echo',
  'printf',
  'pwd',
  'true',
  'false',
  'sleep',
  'whoami',
  'id',
  'uname',
  'hostname',
  'which',
  'type',
  'test',
  'seq',
  'basename',
  'dirname',
  'expr',
  'cd',
]
// Commands that read the files they name: only below the workspace.
const fileReaders = [
  'date',
  'ls',
  'cat',
  'head',
  'tail',
  'wc',
  'stat',
  'file',
  'du',
  'tree',
  'grep',
  'rg',
  'diff',
  'cmp',
  'cut',
  'uniq',
  'sort',
  'nl',
  'realpath',
  'readlink',
  'git status',
  'git diff',
  'git log',
  'git show',
  'git rev-parse',
]
// Commands that create, change or remove the files they name.
const fileWriters = ['mkdir', 'touch', 'rm', 'rmdir', 'mv', 'cp', 'sed']

// Without more words they list branches; with any other word they may make or remove one.
const branchLists = ['', ' -a', ' -r', ' -v', ' -vv', ' -av', ' --list', ' --show-current'].map((words) => `Bash(git branch${words})`)
const rulesOf = (names: readonly string[]) => names.map((name) => `Bash(${name}:*)`)
const readsOnly = compileRules({ allow: rulesOf(readers) })
const readsFiles = compileRules({ allow: [...rulesOf([...readers, ...fileReaders]), ...branchLists] })
const writesFiles = compileRules({ allow: rulesOf([...readers, ...fileReaders, ...fileWriters]) })
const byRoot = new Map<string, ReturnType<typeof compileRules>>()

/** Readers whose output goes into files of the workspace. */
function writesInto(root: string): ReturnType<typeof compileRules> {
  let rules = byRoot.get(root)
  if (rules === undefined) {
    rules = compileRules({ allow: [...rulesOf(readers), `Edit(/${root}/**)`] })
    byRoot.set(root, rules)
  }
  return rules
}

function kindOfCommand(command: string, place: KindPlace): CallKind {
  const call = { tool: 'Bash', input: { command }, cwd: place.cwd }
  const allows = (rules: ReturnType<typeof compileRules>) => rules(call).behavior === 'allow'
  if (allows(readsOnly)) return 'read'
  if (/[<>]/.test(command) && allows(writesInto(place.root))) return writesOnlyInside(command, place) ? 'edit' : 'other'
  if (!namesOnlyInside(command, place)) return 'other'
  if (allows(readsFiles) && !/(^|\s)(-o|--output)/.test(command)) return gitIsPlain(command, place) ? 'read' : 'other'
  return allows(writesFiles) && !wordsOf(command).some((word) => isGuarded(word, place)) ? 'edit' : 'other'
}
