/** The shape of one row of the event table: everything an event is, in columns that the whole engine reads. */
import type { Fields } from './fields.ts'
import type { HandlerType } from './handler-spec.ts'
import type { Power } from './powers.ts'

/** What a block does to the announced step. */
export type OnBlock = 'refuse' | 'feedback' | 'resume' | 'end' | 'decline' | 'fail'
/** Who reads a reason. */
export type Reader = 'model' | 'user' | 'nobody'
/** Parts of the documentation and of listings. */
export type EventGroup = 'session' | 'prompt' | 'tool' | 'permission' | 'turn' | 'agent' | 'task' | 'model' | 'mcp' | 'workspace' | 'compaction' | 'display'

/** One row. Times are in seconds, save `budgetMs`. */
export interface EventRow {
  readonly group: EventGroup
  /** One sentence: when it fires. */
  readonly summary: string
  readonly input: Fields
  /** The input field that a matcher looks at; absent: matchers are ignored. */
  readonly match?: string
  /** How the match value is made from that field: a path's last part, or a model's canonical name (protocol §1.1 rows 24, 29). */
  readonly matchAs?: 'basename' | 'model'
  /** Matchers keep the older set: names of `[A-Za-z0-9_]`, separated by `|` only (design decision 17). */
  readonly narrow?: true
  /** A rule in `if` is meaningful here (protocol §4.3). */
  readonly condition?: true
  /** The handler types that settings may use here. */
  readonly handlers: readonly HandlerType[]
  /** Values of the match field at which a handler type does not run yet. */
  readonly notAt?: Partial<Record<HandlerType, readonly string[]>>
  readonly powers: readonly Power[]
  /** What a block does; absent: nothing can be blocked. */
  readonly onBlock?: OnBlock
  readonly reasonTo?: Reader
  /** A `systemMessage` goes to the person, to the model, or nowhere. */
  readonly messageTo: Reader
  /** It reaches anybody only when the input's `source` is this value; otherwise it is for the log. */
  readonly messageOnlyFrom?: string
  /** What plain stdout is: context for the model, a path, or only a log line. */
  readonly stdout: 'context' | 'path' | 'log'
  /** Plain text is an answer here, also of a tool that guards (protocol §2.8). */
  readonly answersInText?: true
  /** What exit code 2 does where nothing can be blocked. Absent where it blocks. */
  readonly exit2?: 'notice' | 'ignore' | 'feedback'
  /** JSON that this event does not read: all of it, or `message`, `stop`. `terminalSequence` is always read. */
  readonly discards?: 'all' | 'answer'
  /** Whether a failing hook may count as a block: only when it asks for it, always, never, as feedback, or ignored with a warning. */
  readonly failClosed: 'can' | 'always' | 'never' | 'feedback' | 'ignored'
  /** A timeout blocks: for every hook, or for hooks in code (protocol §2.7, §2.9). */
  readonly timeoutBlocks?: 'every' | 'code'
  /** Default deadlines in seconds by handler type; the others take the standard ones. */
  readonly timeouts?: Partial<Record<HandlerType | 'default', number>>
  /** All hooks together have this many milliseconds, raised to the largest timeout written in a settings file, at most 60 s. */
  readonly budgetMs?: number
  /** Hooks get `CLAUDE_ENV_FILE`. */
  readonly envFile?: true
  /** `continue: false` also refuses the announced step (design decision 19). */
  readonly stopRefuses?: true
  /** A model's `ok: false` also ends the turn: always, or unless the hook says `continueOnBlock` (protocol §2.5). */
  readonly judgedEnds?: 'always' | 'unless-continued'
  /** Context alone also resumes, so it sets `blocked` (contract §1). */
  readonly contextResumes?: true
  /** Part in the Stop loop: its blocks are counted and capped, it interrupts a row of blocks, or it starts a new turn (contract §4). */
  readonly loop?: 'counted' | 'interrupts' | 'restarts'
  /** A block is not obeyed when the input's `source` is this value: managed policy cannot be vetoed. */
  readonly unblockable?: string
  /** Left out of the settings schema: only code can attach. */
  readonly internal?: true
}

/** Default deadlines in seconds by handler type (protocol §1). */
export const standardTimeouts: Record<HandlerType, number> = {
  command: 600,
  http: 600,
  mcp_tool: 600,
  module: 600,
  prompt: 30,
  agent: 60,
  callback: 600,
  function: 600,
}

/** The deadline in seconds of a hook that names none. */
export function defaultTimeout(row: EventRow, type: HandlerType): number {
  return row.timeouts?.[type] ?? row.timeouts?.default ?? standardTimeouts[type]
}
