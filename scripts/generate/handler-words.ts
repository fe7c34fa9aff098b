/** What every field of a handler in a settings file means; the compiler keeps the list complete. */
import type { Handler, HandlerSpec } from '../../packages/hookline/src/protocol/handler-spec.ts'

/** One key of the settings format: its JSON Schema, and what it means. */
export interface Word {
  readonly schema: object
  /** One or two sentences of plain text; code may be quoted with backticks. */
  readonly says: string
  readonly required?: true
}

/** The handler types of settings files. */
export type SettingsType = Handler['type']
type FieldsOf<T extends SettingsType, H = Handler> = H extends { type: infer U } ? (T extends U ? Exclude<keyof H, 'type'> : never) : never
type SharedField = Exclude<keyof HandlerSpec, 'type'>

const string = { type: 'string' }
const filled = { type: 'string', minLength: 1 }
const boolean = { type: 'boolean' }
const strings = { type: 'array', items: string }
const paths = { type: 'array', items: { type: 'string', pattern: '^(/|~/|[A-Za-z]:)' } }
const both = (says: string) => ({ description: says.replaceAll('`', ''), markdownDescription: says })

/** What the `sandbox` of a hook may hold. */
export const sandboxSchema = {
  anyOf: [
    { enum: ['none', 'contained', 'restricted'] },
    {
      type: 'object',
      required: ['mode'],
      additionalProperties: false,
      properties: {
        mode: { enum: ['none', 'contained', 'restricted'], ...both('As the word alone.') },
        read: { ...paths, ...both('Under `restricted`: what may be read beside the system and the project.') },
        write: { ...paths, ...both('Under `restricted`: what may be written to beside the project.') },
        network: { ...boolean, ...both('Under `restricted`: with `true` the network of the machine is there.') },
      },
    },
  ],
}

/** Fields that every handler type has. */
export const sharedFields: Record<SharedField, Word> = {
  if: {
    schema: filled,
    says: 'One permission rule, for example `Bash(git push *)`: the hook runs only when the call matches it. Only on tool events; on any other event a hook with `if` never runs.',
  },
  timeout: {
    schema: { type: 'number', exclusiveMinimum: 0 },
    says: 'Deadline in seconds (not milliseconds). Afterwards the hook and everything it started is ended.',
  },
  statusMessage: { schema: string, says: 'What the person sees while the hook runs, and its label in listings.' },
  once: { schema: boolean, says: 'After its first successful run the hook is spent for this session.' },
  onFailure: {
    schema: { enum: ['continue', 'block'] },
    says: 'What a failure of this hook means: `continue` (the default) reports it and goes on, `block` counts it as a block. Ignored on background hooks and on events whose block sends the agent back to work.',
  },
  sandbox: {
    schema: sandboxSchema,
    says: 'How far the process of a command is fenced in: `none` (the default), `contained`, or `restricted`; as an object, with exceptions in `read`, `write` and `network`. A sandbox that cannot be built means that the hook does not run. See [Sandboxes](../guide/sandbox.md).',
  },
}

const ofPrompt: Record<FieldsOf<'prompt'>, Word> = {
  prompt: {
    schema: filled,
    required: true,
    says: 'The rule that the model judges by. `$ARGUMENTS` stands for the input of the event; without it the input is added at the end. `\\$ARGUMENTS` stays as it is.',
  },
  model: { schema: filled, says: 'The model to ask; by default the small, fast one of the host.' },
  continueOnBlock: { schema: boolean, says: 'When the answer is no, the reason goes back to the model and the turn continues, instead of ending.' },
}

/** Fields by handler type, beside the shared ones. */
export const handlerFields: { [T in SettingsType]: Record<FieldsOf<T>, Word> } = {
  command: {
    command: {
      schema: filled,
      required: true,
      says: 'The command line, run by a shell with the input of the event on its standard input. With `args`, the program to start.',
    },
    args: { schema: strings, says: 'Starts `command` directly with these arguments, without a shell. An empty list does so too.' },
    shell: { schema: { enum: ['bash', 'powershell'] }, says: 'The shell that reads `command`; ignored with `args`.' },
    async: { schema: boolean, says: 'Starts the command and does not wait: it decides nothing, and what it says is delivered later.' },
    asyncRewake: { schema: boolean, says: 'As `async`, and exit code 2 wakes the model with what the command wrote to standard error.' },
    persistent: { schema: boolean, says: 'Keeps one process, which reads one line of JSON per event and answers with one line.' },
  },
  http: {
    url: {
      schema: { type: 'string', pattern: '^https?://' },
      required: true,
      says: 'Where the input of the event is posted. Addresses that are not public are refused unless `allowedHttpOrigins` lists the origin.',
    },
    headers: {
      schema: { type: 'object', additionalProperties: string },
      says: 'Headers of the request. `$NAME` stands for an environment variable that `allowedEnvVars` lists.',
    },
    allowedEnvVars: { schema: strings, says: 'The environment variables that `headers` may use; any other one is replaced by nothing.' },
  },
  mcp_tool: {
    server: { schema: filled, required: true, says: 'An MCP server that the host is connected to.' },
    tool: { schema: filled, required: true, says: 'The tool of that server to call.' },
    input: {
      schema: { type: 'object' },
      says: "The tool's arguments. `${path.to.field}` in a string stands for a field of the event's input, and for nothing when there is none.",
    },
  },
  prompt: ofPrompt,
  agent: {
    ...ofPrompt,
    prompt: {
      schema: filled,
      required: true,
      says: 'The rule that the verifying agent judges by, with tools to look around. `$ARGUMENTS` stands for the input of the event.',
    },
    continueOnBlock: { schema: boolean, says: 'Has no effect here: after a no the turn continues in any case.' },
  },
  module: {
    path: { schema: filled, required: true, says: 'A JavaScript module that exports a hook made with `defineHook`; it is loaded once, in a worker.' },
  },
}

/** One sentence per handler type. */
export const handlerSays: Record<SettingsType, string> = {
  command: 'Runs a command line or a program.',
  http: 'Posts the input of the event to a URL.',
  mcp_tool: 'Calls a tool of a connected MCP server.',
  prompt: 'Has a model judge the event by a rule, in one call.',
  agent: 'Has a verifier, a model with tools, find out whether a rule holds.',
  module: 'Calls a JavaScript hook in a worker; ours, so other agents do not know it.',
}

/** Other spellings of `onFailure: "block"` that are read too. */
export const failClosedSpellings: Record<string, object> = {
  failClosed: { const: true },
  fail_closed: { const: true },
  failMode: { const: 'closed' },
  on_failure: { const: 'block' },
}
