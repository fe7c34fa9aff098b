/** Adds a hook to the text of a settings file and leaves everything else as it stands, comments and blanks included. */
import { applyEdits, findNodeAtLocation, modify, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** The new text, or why it cannot be made safely. */
export type Added = { readonly kind: 'added'; readonly text: string } | { readonly kind: 'refused'; readonly why: string }

/** Puts `group` at the end of the event's list. */
export function addHook(text: string, { event, group }: { event: string; group: object }): Added {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(mark.length)
  const errors: ParseError[] = []
  const root = body.trim() === '' ? undefined : parseTree(body, errors, { allowTrailingComma: true })
  if (root === undefined || errors.length > 0) return { kind: 'refused', why: body.trim() === '' ? 'it is empty' : 'it is not valid JSON' }
  if (root.type !== 'object') return { kind: 'refused', why: 'it does not hold an object' }
  const hooks = findNodeAtLocation(root, ['hooks'])
  const list = findNodeAtLocation(root, ['hooks', event])
  if (hooks !== undefined && hooks.type !== 'object') return { kind: 'refused', why: '"hooks" in it is not an object' }
  if (list !== undefined && list.type !== 'array') return { kind: 'refused', why: `"hooks.${event}" in it is not a list` }
  if (isDoubled(root, 'hooks') || (hooks !== undefined && isDoubled(hooks, event))) return { kind: 'refused', why: `"hooks" or "${event}" stands twice in it` }
  const size = list?.children?.length ?? 0
  const path = list === undefined ? ['hooks', event] : ['hooks', event, size]
  const edits = modify(body, path, list === undefined ? [group] : group, { isArrayInsertion: list !== undefined, formattingOptions: formatOf(body) })
  return { kind: 'added', text: `${mark}${applyEdits(body, edits)}` }
}

function isDoubled({ children = [] }: Node, key: string): boolean {
  return children.filter((member) => member.children?.[0]?.value === key).length > 1
}

/** Indents as the file does. */
function formatOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
