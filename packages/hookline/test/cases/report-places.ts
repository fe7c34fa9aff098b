/** From a row's `where` to a line of the settings file: `project:PreToolUse/0/matcher`, `project:Stop:0:1/command`, `project:hooks`. */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import type { Diagnostic } from '../../src/index.ts'

/** The JSON path below the file that `where` names; `undefined` when it names the file as a whole. */
function pathOf(where: string): (string | number)[] | undefined {
  const [, place = ''] = /^[a-z]+:(.*)$/.exec(where) ?? []
  if (place === '') return undefined
  if (place === 'hooks') return ['hooks']
  const [head = '', ...keys] = place.split('/')
  const [event = '', group, index] = head.split(':')
  const hook = group === undefined ? [] : [Number(group), ...(index === undefined ? [] : ['hooks', Number(index)])]
  return ['hooks', event, ...hook, ...keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))]
}

/** Whether a diagnostic points at the place: its hook is named, or its line is one of the lines of that key and value. */
export function pointsAt(found: Diagnostic, where: string, text: string): boolean {
  const path = pathOf(where)
  if (path === undefined) return true
  const id = where.split('/')[0]
  if (found.hook !== undefined && found.hook === id) return true
  const root = parseTree(text)
  const node = root === undefined ? undefined : findNodeAtLocation(root, path)
  if (node === undefined || found.line === undefined) return false
  const whole: Node = node.parent?.type === 'property' ? node.parent : node
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  return found.line >= lineAt(whole.offset) && found.line <= lineAt(whole.offset + whole.length)
}
