/** The files that a call touches: its path fields, or what a shell command's redirects write. */
import { type RuleCall, readingOf } from './call.ts'
import type { Target } from './path-rule.ts'

const pathFields: Readonly<Record<string, string>> = {
  Read: 'file_path',
  Edit: 'file_path',
  Write: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  LSP: 'file_path',
  Cd: 'path',
}

/** The paths of a file tool's call; `undefined` when the call does not say. */
export function targetsOf(call: RuleCall): readonly Target[] | undefined {
  if (call.tool === 'Grep' || call.tool === 'Glob') return searched(call)
  const field = Object.hasOwn(pathFields, call.tool) ? pathFields[call.tool] : undefined
  const path = field === undefined ? undefined : call.input[field]
  return typeof path === 'string' && path !== '' ? [{ path }] : undefined
}

function searched({ tool, input }: RuleCall): readonly Target[] | undefined {
  const folder = input['path'] ?? '.'
  if (typeof folder !== 'string') return undefined
  const targets: Target[] = [{ path: folder === '' ? '.' : folder, folder: true }]
  const names = input[tool === 'Glob' ? 'pattern' : 'glob']
  if (typeof names === 'string' && names !== '') targets.push({ path: /^(?:\/|~|[A-Za-z]:[\\/])/.test(names) ? names : `${folder}/${names}` })
  return targets
}

/** A file that a shell command writes through a redirect; without `path` it is not known which. */
export interface Written {
  /** Absent: what was not read may write, too. */
  readonly shown?: string
  readonly path?: string
}

const unread: Written = {}

/** The files that a shell command's redirects write. */
export function writtenBy(call: RuleCall): readonly Written[] {
  const reading = readingOf(call)
  if (reading === undefined) return []
  // After a change of folder a plain path is relative to somewhere else.
  const moved = reading.candidates.some(({ words }) => /^(?:cd|pushd|popd)$/.test(words[0]?.text ?? ''))
  const written = reading.writes.map((word): Written => {
    const known = word.literal && (!moved || /^[/~]/.test(word.text))
    return { shown: word.raw, ...(known && { path: word.text }) }
  })
  return reading.cut ? [...written, unread] : written
}
