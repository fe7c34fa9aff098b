/** What a conversation brings to the tool station: its mode, the workspace's own rules, whom to ask, and where grants are kept. */
import type { Ask, FireOptions, Judge, PermissionMode, Permissions, PermissionUpdate, ToolCall } from 'hookline'
import type { Conversation } from '../loop/conversation.ts'
import type { AnyTool } from '../tools/tool.ts'
import { type CallKind, kindOfCall } from './kind.ts'
import { suggestionsFor } from './suggest.ts'
import { judgeWorkspace } from './workspace-rules.ts'

/** Shared by the conversations of a session, save that a subagent may have a mode of its own. */
export interface PermissionSetup {
  readonly mode: () => PermissionMode
  /** The same in another mode; a grant of a mode changes the session's, not this one. */
  inMode(mode: PermissionMode): PermissionSetup
  optionsFor(conversation: Conversation): Partial<Permissions> & FireOptions
  /** Whether a call may run beside its neighbours: it changes nothing. */
  sideBySide(tool: AnyTool, input: Record<string, unknown>, conversation: Conversation): boolean
}

export interface PermissionSetupOptions {
  mode: () => PermissionMode
  /** Absent: nobody is there. */
  ask?: Ask
  /** For mode "auto"; absent: no classifier, and what needs one is refused. */
  classify?: Judge
  onUpdate: (updates: readonly PermissionUpdate[]) => Promise<void>
  /** Folders beside the current one that the session works in. */
  folders: () => readonly string[]
}

/** An edit in mode "plan" is a question of the workspace's own rules, which nothing but a person or a hook in their place can answer; the bare mode would refuse unasked. */
function kindForMode(kind: CallKind, mode: PermissionMode): CallKind {
  return mode === 'plan' && kind === 'edit' ? 'other' : kind
}

/** @see Permissions of hookline for what each option means. */
export function createPermissionSetup(options: PermissionSetupOptions): PermissionSetup {
  const { mode, ask, classify, onUpdate, folders } = options
  const placeOf = (conversation: Conversation) => ({ cwd: conversation.workspace.cwd, root: conversation.workspace.root, folders: folders() })
  return {
    mode,
    inMode: (other) => createPermissionSetup({ ...options, mode: () => other }),
    optionsFor(conversation) {
      const toolOf = (call: ToolCall) => conversation.toolbox.find(call.name)
      return {
        mode,
        kindOf: (call) => kindForMode(kindOfCall(call, toolOf(call), { ...placeOf(conversation), mode: mode() }), mode()),
        rules: (call) => judgeWorkspace(call, toolOf(call), { ...placeOf(conversation), mode: mode() }),
        suggest: (call, cause) => (cause === 'mode' ? suggestionsFor(call, toolOf(call), placeOf(conversation)) : []),
        onUpdate,
        ...(classify === undefined ? {} : { classify }),
        // Without a person, what a hook wants to be asked is refused: other hooks do not stand in for the person there.
        ...(ask === undefined ? { request: (question) => question.cause !== 'hook' } : { ask }),
        locals: { messages: () => conversation.messages },
      }
    },
    sideBySide(tool, input, conversation) {
      const call = { name: tool.name, input, id: '' }
      return tool.name === 'Agent' || kindOfCall(call, tool, { ...placeOf(conversation), mode: 'default' }) === 'read'
    },
  }
}
