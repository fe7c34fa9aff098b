/** The options of the command line as data: what commander, the quick reading of `fire` and shell completion are made from. */

/** What a value is, for shell completion. */
export type Completes = 'file' | 'folder' | 'tool' | 'hook' | 'event'

/** One option, in commander's notation: `--input <file>` takes a value, `--json` takes none. */
export interface Flag {
  readonly flags: string
  readonly summary: string
  /** May be given several times. */
  readonly repeat?: true
  readonly choices?: readonly string[]
  readonly completes?: Completes
  readonly hidden?: true
  /** `-p`; only for completion. */
  readonly short?: string
}

/** Options that every command takes. */
export const globalFlags: readonly Flag[] = [
  { flags: '--cwd <dir>', summary: 'the folder whose settings count (default: the current one)', completes: 'folder' },
  { flags: '--settings <file|json>', summary: 'more settings, beside those of the usual places; may be repeated', repeat: true, completes: 'file' },
  { flags: '--trust', summary: 'vouch for what the folder brings, in this run; --trust=DIGEST only while it has that digest' },
  { flags: '--trust-digest <digest>', summary: 'the same as --trust=DIGEST', hidden: true },
  { flags: '--no-hooks', summary: 'switch off all hooks but managed ones' },
  { flags: '--json', summary: 'print one JSON document; --json=lines prints JSON lines, the document last' },
  { flags: '--json-lines', summary: 'the same as --json=lines', hidden: true },
  { flags: '--no-color', summary: 'no colours (NO_COLOR and FORCE_COLOR are obeyed too)' },
  { flags: '--verbose', summary: 'say more: skipped hooks, what hooks wrote' },
]

/** Options that describe the input of an event, for `fire` and `explain`. */
export const inputFlags: readonly Flag[] = [
  { flags: '--input <file|->', summary: 'the input as a JSON file; "-" reads stdin', completes: 'file' },
  { flags: '--tool <name>', summary: 'sets tool_name', completes: 'tool' },
  { flags: '--tool-input <json>', summary: 'sets tool_input, a JSON object' },
  { flags: '--set <field=value>', summary: 'sets one field to a JSON value or a text; may be repeated', repeat: true },
]

/** What `globalFlags` are read into. */
export interface GlobalOptions {
  cwd?: string
  settings?: string[]
  trust?: true
  /** `--trust=DIGEST`. */
  trustDigest?: string
  /** False: `--no-hooks`. */
  hooks: boolean
  json?: true
  jsonLines?: true
  /** False: `--no-color`. */
  color: boolean
  verbose?: true
}

/** What `inputFlags` are read into. */
export interface InputOptions {
  input?: string
  tool?: string
  toolInput?: string
  set?: string[]
}

/** The long name of an option: `--tool-input`. */
export function longName({ flags }: Flag): string {
  return flags.split(/[ ,]/, 1)[0] as string
}

/** Whether an option takes a value. */
export function takesValue({ flags }: Flag): boolean {
  return flags.includes('<')
}

/** The key under which commander and the quick reading keep an option: `toolInput`; `hooks` for `--no-hooks`. */
export function optionKey(flag: Flag): string {
  return longName(flag)
    .replace(/^--(no-)?/, '')
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** An optional value only ever stands behind `=`, so that `--json list` is never read as `--json=list`. */
export function splitModes(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    if (end !== -1 && index >= end) return word
    return word === '--json=lines' ? '--json-lines' : word.replace(/^--trust=/, '--trust-digest=')
  })
}
