/** The commands as data: what commander, help and shell completion are made from. Each command is loaded when it is run. */
import type { CommandContext } from './context.ts'
import { type Flag, inputFlags } from './flags.ts'
import { logCommand } from './log-command.ts'
import { trustCommand } from './trust-command.ts'

/** What a positional word is, for completion. */
export type WordKind = 'event' | 'file' | 'shell' | 'tool' | 'text'

/** One positional word, in commander's notation: `<event>`, `[file...]`. */
export interface Word {
  readonly name: string
  readonly kind: WordKind
  readonly summary: string
  readonly choices?: readonly string[]
}

/** One command. `run` gets the words in order, then the options. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  readonly words: readonly Word[]
  readonly flags: readonly Flag[]
  readonly example: string
  readonly commands?: readonly CommandEntry[]
  run?(words: readonly (string | string[] | undefined)[], options: never, context: CommandContext): Promise<number>
}

const event: Word = { name: '<event>', kind: 'event', summary: 'name of the event, for example PreToolUse' }
const batch: Flag = { flags: '--batch', summary: 'read JSON lines from stdin, answer one line each' }
const oneHook: Flag = { flags: '--hook <id>', summary: 'this hook only', completes: 'hook' }
const text = (words: readonly (string | string[] | undefined)[]) => words as readonly (string | undefined)[]

const tries: readonly CommandEntry[] = [
  {
    name: 'matcher',
    summary: 'one matcher against one value; exit 1 when it does not match',
    words: [
      { name: '[pattern]', kind: 'text', summary: 'as written in "matcher"' },
      { name: '[value]', kind: 'tool', summary: 'for example a tool name' },
    ],
    flags: [{ flags: '--event <name>', summary: 'the event, for those that read matchers their own way', completes: 'event' }, batch],
    example: "hookline try matcher 'mcp__gh__.*' mcp__gh__search",
    run: async (words, options, context) => (await import('./commands/try-matcher.ts')).tryMatcher(text(words), options, context),
  },
  {
    name: 'rule',
    summary: 'one permission rule against one call; exit 1 when it matches neither as deny nor as allow',
    words: [
      { name: '[rule]', kind: 'text', summary: 'for example "Bash(git push *)"' },
      { name: '[command]', kind: 'text', summary: 'a shell command' },
    ],
    flags: [
      { flags: '--tool <name>', summary: 'the tool, when it is not Bash', completes: 'tool' },
      { flags: '--tool-input <json>', summary: "the tool's input, in place of a command" },
      batch,
    ],
    example: "hookline try rule 'Bash(git push *)' 'sudo git push --force'",
    run: async (words, options, context) => (await import('./commands/try-rule.ts')).tryRule(text(words), options, context),
  },
  {
    name: 'output',
    summary: 'how the output of a hook is read for an event',
    words: [{ ...event, name: '[event]' }],
    flags: [
      { flags: '--exit <code>', summary: 'exit code of the hook (default: 0)' },
      { flags: '--stdout <text>', summary: 'what it wrote to stdout' },
      { flags: '--stderr <text>', summary: 'what it wrote to stderr' },
      { flags: '--hook-type <type>', summary: 'how the hook answers', choices: ['command', 'http', 'mcp_tool', 'prompt', 'agent', 'module'] },
      batch,
    ],
    example: "hookline try output PreToolUse --exit 2 --stderr 'not on Friday'",
    run: async (words, options, context) => (await import('./commands/try-output.ts')).tryOutput(text(words), options, context),
  },
  {
    name: 'url',
    summary: 'whether an http hook may go to a URL; looks nothing up and dials nothing; exit 1 when it is refused',
    words: [{ name: '[url]', kind: 'text', summary: 'as written in "url"' }],
    flags: [
      { flags: '--dns <address>', summary: 'an address that its host is taken to have; may be repeated', repeat: true },
      { flags: '--origin <origin>', summary: 'an origin that allowedHttpOrigins is taken to list; may be repeated', repeat: true },
      batch,
    ],
    example: 'hookline try url http://localhost:8080/hook',
    run: async (words, options, context) => (await import('./commands/try-url.ts')).tryUrl(text(words), options, context),
  },
]

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'the reference agent: -p runs one prompt; `hookline run --help` says what there is',
    words: [{ name: '[prompt]', kind: 'text', summary: 'what is to be done' }],
    flags: [],
    example: 'hookline run -p "what does this project do?"',
    run: async (words, _options, context) =>
      (await import('./commands/run.ts')).run(
        text(words).flatMap((word) => word ?? []),
        context,
      ),
  },
  {
    name: 'fire',
    summary: 'run the hooks of an event and print the verdict; exit 2 when it refuses',
    words: [event],
    flags: inputFlags,
    example: `hookline fire PreToolUse --tool Bash --tool-input '{"command":"git push"}'`,
    run: async (words, options, context) => (await import('./commands/fire.ts')).fire(words[0] as string, options, context),
  },
  {
    name: 'explain',
    summary: 'say why each hook of an event would run or not; runs nothing',
    words: [event],
    flags: [...inputFlags, oneHook],
    example: `hookline explain PreToolUse --tool Bash --tool-input '{"command":"git push"}'`,
    run: async (words, options, context) => (await import('./commands/explain.ts')).explain(words[0] as string, options, context),
  },
  {
    name: 'validate',
    summary: 'find mistakes in settings; exit 1 when there are errors',
    words: [{ name: '[file...]', kind: 'file', summary: 'settings files (default: all that count here); "-" reads stdin' }],
    flags: [
      { flags: '--format <form>', summary: 'how to print (default: text)', choices: ['text', 'json', 'sarif', 'github'] },
      { flags: '--strict', summary: 'warnings count as errors' },
    ],
    example: 'hookline validate .claude/settings.json --format github',
    run: async (words, options, context) => (await import('./commands/validate.ts')).validate((words[0] ?? []) as string[], options, context),
  },
  {
    name: 'list',
    summary: 'list hooks by event, with their sources and trust',
    words: [{ ...event, name: '[event]' }],
    flags: [{ flags: '--events', summary: 'the events there are, and what each is for' }, oneHook],
    example: 'hookline list PreToolUse',
    run: async (words, options, context) => (await import('./commands/list.ts')).list(words[0] as string | undefined, options, context),
  },
  {
    name: 'try',
    summary: 'try one matcher, rule, output or URL',
    words: [],
    flags: [],
    example: "hookline try matcher 'Edit|Write' Edit",
    commands: tries,
  },
  trustCommand,
  logCommand,
  {
    name: 'schema',
    summary: 'print the JSON Schema of the settings',
    words: [],
    flags: [],
    example: 'hookline schema > settings.schema.json',
    run: async (_words, options, context) => (await import('./commands/schema.ts')).schema(options, context),
  },
  {
    name: 'init',
    summary: 'write a first settings file with one hook that works',
    words: [],
    flags: [],
    example: 'hookline init',
    run: async (_words, options, context) => (await import('./commands/init.ts')).init(options, context),
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    words: [{ name: '<shell>', kind: 'shell', summary: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
    flags: [],
    example: 'source <(hookline completion bash)',
    run: async (words, options, context) => (await import('./commands/completion.ts')).completion(words[0] as string, options, context),
  },
]
