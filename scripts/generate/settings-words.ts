/** What every key of a settings file means, save the hooks themselves. */
import type { Policy } from '../../packages/hookline/src/config/snapshot.ts'
import type { PermissionMode } from '../../packages/hookline/src/protocol/permission.ts'
import { sandboxSchema, type Word } from './handler-words.ts'

const boolean = { type: 'boolean' }
const strings = { type: 'array', items: { type: 'string' } }

/** A policy key and who may set it. */
export interface PolicyWord extends Word {
  readonly from: string
}
type PolicyKey = Exclude<keyof Policy, 'strictPluginOnly' | 'bypassDisabled'> | 'strictPluginOnlyCustomization'

/** What organisations and people forbid. Lists from any source only narrow. */
export const policyWords: Record<PolicyKey, PolicyWord> = {
  disableAllHooks: {
    schema: boolean,
    from: 'any source',
    says: 'Turns hooks off: all of them in managed settings, all but the managed ones elsewhere. A project cannot undo it for a user.',
  },
  allowManagedHooksOnly: { schema: boolean, from: 'managed', says: 'Only hooks of managed settings and of the host program run.' },
  strictPluginOnlyCustomization: {
    schema: { anyOf: [boolean, strings] },
    from: 'managed',
    says: 'With `true`, or a list that holds `"hooks"`, the hooks of user, project and local settings are off; those of plugins and managed settings run.',
  },
  allowedHttpHookUrls: { schema: strings, from: 'any source', says: 'URL patterns with `*` that http hooks may use. Absent: every URL; an empty list: none.' },
  httpHookAllowedEnvVars: {
    schema: strings,
    from: 'any source',
    says: "The outer limit for environment variables in headers, whatever a hook's own `allowedEnvVars` lists.",
  },
  allowedHttpOrigins: {
    schema: strings,
    from: 'user, managed',
    says: 'Exact origins, for example `http://localhost:8080`, that http hooks may reach although their address is not public.',
  },
  requireFailClosed: {
    schema: { anyOf: [{ const: true }, strings] },
    from: 'managed',
    says: 'Events whose hooks must fail closed, as if each had `onFailure: "block"`; `true` for every event that can.',
  },
  disabledHooks: { schema: strings, from: 'user, managed', says: 'Ids of hooks that do not run, as `hookline list` shows them.' },
  hookSandbox: {
    schema: {
      anyOf: [
        ...sandboxSchema.anyOf,
        {
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(
            ['plugin', 'user', 'project', 'local', 'session', 'managed'].map((kind) => [
              kind,
              { ...sandboxSchema, description: `Hooks of ${kind} sources.`, markdownDescription: `Hooks of ${kind} sources.` },
            ]),
          ),
        },
      ],
    },
    from: 'any source; by kind of source: user, managed',
    says: 'The `sandbox` of the hooks of this file that have none of their own. As an object keyed by kinds of sources, for example `{"project": "restricted", "plugin": "restricted"}`: what hooks of these sources have at least, whatever they say.',
  },
  auditRequired: {
    schema: boolean,
    from: 'user, managed',
    says: 'With `true`, a decision that cannot be recorded in the audit log is a refusal, and the log is on whatever the host says.',
  },
  selfProtection: {
    schema: boolean,
    from: 'user, managed',
    says: 'With `false`, tools may change what guards the session: settings, scripts of hooks, trust records, policy, the audit log, git hooks. Default: `true`.',
  },
}

const modes: Record<PermissionMode, true> = { default: true, plan: true, acceptEdits: true, auto: true, dontAsk: true, bypassPermissions: true }
const rules = { type: 'array', items: { type: 'string', minLength: 1 } }

/** Keys of `permissions`. */
export const permissionWords: Record<'deny' | 'ask' | 'allow' | 'defaultMode' | 'disableBypassPermissionsMode' | 'additionalDirectories', Word> = {
  deny: { schema: rules, says: 'Rules for calls that never run, for example `Bash(rm *)` or `Read(.env)`. Nothing outranks them.' },
  ask: { schema: rules, says: 'Rules for calls that a person must be asked about, whatever a hook allows.' },
  allow: { schema: rules, says: 'Rules for calls that run without a question.' },
  defaultMode: { schema: { enum: Object.keys(modes) }, says: 'The permission mode a session starts in.' },
  disableBypassPermissionsMode: { schema: { const: 'disable' }, says: 'With `disable` the mode `bypassPermissions` cannot be chosen.' },
  additionalDirectories: { schema: strings, says: 'Directories beside the current one that the agent may work in; read by the agent, not by Hookline.' },
}

/** The other keys at the top. */
export const topWords: Record<'$schema' | 'env', Word> = {
  $schema: { schema: { type: 'string' }, says: 'Where an editor finds the description of this format.' },
  env: {
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    says: "Environment variables for hooks. A project's file may not set loader and start-up names, endpoints or places of configuration.",
  },
}
