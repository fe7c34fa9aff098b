/** What a person could grant with one key instead of answering the same question again. */
import type { PermissionUpdate, ToolCall } from 'hookline'
import type { AnyTool } from '../tools/tool.ts'
import { kindOfCall } from './kind.ts'
import { isInside, type Place, pathOf } from './place.ts'

const plainCommand = /^[\w./@:=,+-]+(?: [\w./@:=,+-]+)*$/

/** Suggestions for a call that nobody decided yet; none for a call that a rule asks about. */
export function suggestionsFor(call: ToolCall, tool: AnyTool | undefined, place: Place): readonly PermissionUpdate[] {
  const acceptEdits: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
  if (call.name === 'Bash') {
    if (kindOfCall(call, tool, { ...place, mode: 'default' }) === 'edit')
      return [
        { type: 'addDirectories', directories: [place.root], destination: 'session' },
        ...(/[<>]/.test(String(call.input['command'])) ? [] : [acceptEdits]),
      ]
    // This very command, word for word; one that a rule would read as more than itself gets no such key.
    const command = String(call.input['command']).trim()
    return plainCommand.test(command)
      ? [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: command }], behavior: 'allow', destination: 'localSettings' }]
      : []
  }
  if (call.name.startsWith('mcp__')) return [{ type: 'addRules', rules: [{ toolName: call.name }], behavior: 'allow', destination: 'localSettings' }]
  const path = pathOf(call)
  if (tool?.kind === 'edit' && path !== undefined && isInside(path, place)) return [acceptEdits]
  return []
}
