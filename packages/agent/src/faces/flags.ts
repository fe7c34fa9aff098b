/** The options of `hookline run`, as data: what parsing, help and completion are made from. */

export interface RunFlag {
  /** As it is written, without dashes; the first is the one that is kept. */
  names: readonly string[]
  short?: string
  /** `one` value, `many` values up to the next option, `maybe` a value; absent: none. */
  takes?: 'one' | 'many' | 'maybe'
  /** May be given several times. */
  repeat?: true
  choices?: readonly string[]
  summary: string
}

export const modes = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const

export const runFlags: readonly RunFlag[] = [
  { names: ['print'], short: 'p', summary: 'run one prompt and print the outcome' },
  { names: ['output-format'], takes: 'one', choices: ['text', 'json', 'stream-json'], summary: 'how to print (default: text)' },
  { names: ['input-format'], takes: 'one', choices: ['text', 'stream-json'], summary: 'how stdin is read (default: text)' },
  { names: ['verbose'], summary: 'say more: tools, notices' },
  { names: ['include-hook-events'], summary: 'show all hooks in stream-json, not only those of SessionStart and Setup' },
  { names: ['model'], takes: 'one', summary: 'the model: a name, an alias, provider/name, or script:FILE' },
  { names: ['effort'], takes: 'one', choices: ['low', 'medium', 'high', 'xhigh', 'max'], summary: 'the level of effort that hooks are told' },
  { names: ['allowedTools', 'allowed-tools'], takes: 'many', repeat: true, summary: 'rules for what runs without a question, such as "Bash(git *)"' },
  { names: ['disallowedTools', 'disallowed-tools'], takes: 'many', repeat: true, summary: 'rules for what never runs; a bare name takes the tool away' },
  { names: ['permission-mode'], takes: 'one', choices: modes, summary: 'what is allowed without a question (default: default)' },
  { names: ['dangerously-skip-permissions'], summary: 'the same as --permission-mode bypassPermissions' },
  { names: ['settings'], takes: 'one', repeat: true, summary: 'more settings: a file or JSON; may be repeated' },
  { names: ['setting-sources'], takes: 'one', summary: 'which settings count: user,project,local' },
  { names: ['add-dir'], takes: 'many', repeat: true, summary: 'more folders to work in' },
  { names: ['agents'], takes: 'one', summary: 'more kinds of subagents, as JSON by name' },
  { names: ['agent'], takes: 'one', summary: 'the kind of agent that the session itself is' },
  { names: ['system-prompt'], takes: 'one', summary: 'a text in the place of the system text' },
  { names: ['append-system-prompt'], takes: 'one', summary: 'a text behind the system text' },
  { names: ['resume'], short: 'r', takes: 'maybe', summary: 'go on with a session: its id, or the last one' },
  { names: ['continue'], short: 'c', summary: 'go on with the last session of this folder' },
  { names: ['fork-session'], summary: 'with --resume or --continue: under a new id' },
  { names: ['session-id'], takes: 'one', summary: 'the id of the session, a UUID' },
  { names: ['init'], summary: 'run the Setup hooks first' },
  { names: ['init-only'], summary: 'run the Setup and SessionStart hooks and end' },
  { names: ['maintenance'], summary: 'run the Setup hooks for maintenance first' },
  { names: ['worktree'], short: 'w', takes: 'maybe', summary: 'work in a git worktree of its own, by name' },
  { names: ['mcp-config'], takes: 'many', repeat: true, summary: 'MCP servers: files or JSON' },
  { names: ['strict-mcp-config'], summary: 'only the MCP servers of --mcp-config' },
  { names: ['plugin-dir'], takes: 'one', repeat: true, summary: 'a folder with a plugin; may be repeated' },
  { names: ['json-schema'], takes: 'one', summary: 'the answer must fit this JSON Schema' },
  { names: ['max-turns'], takes: 'one', summary: 'model requests that one prompt may take' },
  { names: ['bare'], summary: 'no hooks of settings, no instructions, no subagent types of files' },
  { names: ['safe-mode'], summary: 'only managed hooks' },
  { names: ['trust'], takes: 'maybe', summary: 'vouch for what the folder brings; --trust=DIGEST only while it has that digest' },
  { names: ['trust-digest'], takes: 'one', summary: 'the same as --trust=DIGEST' },
  { names: ['no-hooks'], summary: 'switch off all hooks but managed ones' },
  { names: ['cwd'], takes: 'one', summary: 'the folder to work in (default: the current one)' },
  { names: ['json'], summary: 'the same as --output-format json' },
  { names: ['json-lines'], summary: 'the same as --output-format stream-json' },
  { names: ['no-color'], summary: 'no colours' },
  { names: ['help'], short: 'h', summary: 'say what there is' },
]
