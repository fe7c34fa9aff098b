/** The options of `hookline run`, as data: what parsing, help and completion are made from. */

export interface RunFlag {
  /** As it is written, without dashes; the first is the one that is kept. */
  names: readonly string[]
  short?: string
  /** `one` value, `many` values up to the next option, `maybe` a value; absent: none. */
  takes?: 'one' | 'many' | 'maybe'
  /** What a value is, for help. */
  value?: string
  /** What a value is, for completion. */
  completes?: 'file' | 'folder' | 'tool'
  /** May be given several times. */
  repeat?: true
  /** The empty text is a value. */
  empty?: true
  choices?: readonly string[]
  group: 'what' | 'model' | 'permissions' | 'context' | 'session' | 'hooks'
  summary: string
}

export const modes = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const

/** The groups of the help, in its order. */
export const groups: Readonly<Record<RunFlag['group'], string>> = {
  what: 'What is printed',
  model: 'The model',
  permissions: 'Tools and permissions',
  context: 'What the session has',
  session: 'Sessions',
  hooks: 'Hooks and trust',
}

export const runFlags: readonly RunFlag[] = [
  { names: ['print'], short: 'p', group: 'what', summary: 'run one prompt and print the outcome' },
  { names: ['output-format'], takes: 'one', choices: ['text', 'json', 'stream-json'], group: 'what', summary: 'how to print (default: text)' },
  { names: ['input-format'], takes: 'one', choices: ['text', 'stream-json'], group: 'what', summary: 'how stdin is read (default: text)' },
  { names: ['verbose'], group: 'what', summary: 'say more: tools, notices; with json, every message' },
  { names: ['include-hook-events'], group: 'what', summary: 'show all hooks in stream-json, not only those of SessionStart and Setup' },
  { names: ['json-schema'], takes: 'one', value: 'json', group: 'what', summary: 'the answer must fit this JSON Schema' },
  { names: ['json'], group: 'what', summary: 'the same as --output-format json' },
  { names: ['json-lines'], group: 'what', summary: 'the same as --output-format stream-json' },
  { names: ['no-color'], group: 'what', summary: 'no colours (NO_COLOR is obeyed too)' },
  { names: ['help'], short: 'h', group: 'what', summary: 'say what there is' },
  { names: ['model'], takes: 'one', value: 'name', group: 'model', summary: 'the model: a name, an alias, provider/name, or script:FILE' },
  { names: ['effort'], takes: 'one', choices: ['low', 'medium', 'high', 'xhigh', 'max'], group: 'model', summary: 'the level of effort that hooks are told' },
  { names: ['max-turns'], takes: 'one', value: 'number', group: 'model', summary: 'model requests that one prompt may take' },
  { names: ['system-prompt'], takes: 'one', value: 'text', empty: true, group: 'model', summary: 'a text in the place of the system text' },
  { names: ['append-system-prompt'], takes: 'one', value: 'text', empty: true, group: 'model', summary: 'a text behind the system text' },
  {
    names: ['allowedTools', 'allowed-tools'],
    takes: 'many',
    value: 'rules',
    completes: 'tool',
    repeat: true,
    empty: true,
    group: 'permissions',
    summary: 'rules for what runs without a question, such as "Bash(git *)"',
  },
  {
    names: ['disallowedTools', 'disallowed-tools'],
    takes: 'many',
    value: 'rules',
    completes: 'tool',
    repeat: true,
    empty: true,
    group: 'permissions',
    summary: 'rules for what never runs; a bare name takes the tool away',
  },
  { names: ['permission-mode'], takes: 'one', choices: modes, group: 'permissions', summary: 'what is allowed without a question (default: default)' },
  { names: ['dangerously-skip-permissions'], group: 'permissions', summary: 'the same as --permission-mode bypassPermissions' },
  { names: ['cwd'], takes: 'one', value: 'dir', completes: 'folder', group: 'context', summary: 'the folder to work in (default: the current one)' },
  { names: ['add-dir'], takes: 'many', value: 'dirs', completes: 'folder', repeat: true, group: 'context', summary: 'more folders to work in' },
  { names: ['worktree'], short: 'w', takes: 'maybe', value: 'name', group: 'context', summary: 'work in a git worktree of its own, by name' },
  { names: ['agents'], takes: 'one', value: 'json', group: 'context', summary: 'more kinds of subagents, as JSON by name' },
  { names: ['agent'], takes: 'one', value: 'type', group: 'context', summary: 'the kind of agent that the session itself is' },
  { names: ['mcp-config'], takes: 'many', value: 'files|json', completes: 'file', repeat: true, group: 'context', summary: 'MCP servers: files or JSON' },
  { names: ['strict-mcp-config'], group: 'context', summary: 'only the MCP servers of --mcp-config' },
  {
    names: ['plugin-dir'],
    takes: 'one',
    value: 'dir',
    completes: 'folder',
    repeat: true,
    group: 'context',
    summary: 'a folder with a plugin; may be repeated',
  },
  { names: ['continue'], short: 'c', group: 'session', summary: 'go on with the last session of this folder' },
  { names: ['resume'], short: 'r', takes: 'maybe', value: 'id', group: 'session', summary: 'go on with a session: its id, or the last one' },
  { names: ['fork-session'], group: 'session', summary: 'with --resume or --continue: under a new id' },
  { names: ['session-id'], takes: 'one', value: 'uuid', group: 'session', summary: 'the id of the new session' },
  { names: ['init'], group: 'session', summary: 'run the Setup hooks first' },
  { names: ['init-only'], group: 'session', summary: 'run the Setup and SessionStart hooks and end' },
  { names: ['maintenance'], group: 'session', summary: 'run the Setup hooks for maintenance first' },
  { names: ['settings'], takes: 'one', value: 'file|json', completes: 'file', repeat: true, group: 'hooks', summary: 'more settings; may be repeated' },
  { names: ['setting-sources'], takes: 'one', value: 'list', empty: true, group: 'hooks', summary: 'which settings count: user,project,local' },
  { names: ['bare'], group: 'hooks', summary: 'no hooks of settings, no instructions, no subagent types of files' },
  { names: ['safe-mode'], group: 'hooks', summary: 'only managed hooks' },
  { names: ['no-hooks'], group: 'hooks', summary: 'switch off all hooks but managed ones' },
  {
    names: ['trust'],
    takes: 'maybe',
    value: 'digest',
    group: 'hooks',
    summary: 'vouch for what the folder brings; --trust=DIGEST only while it has that digest',
  },
  { names: ['trust-digest'], takes: 'one', value: 'digest', group: 'hooks', summary: 'the same as --trust=DIGEST' },
]
