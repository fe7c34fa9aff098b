/** The `log` command as data: what it shows, follows, verifies and exports, and with which options. */
import type { AuditRecord } from '../node.ts'
import type { CommandEntry } from './command-table.ts'
import type { Flag } from './flags.ts'

type Word = Extract<AuditRecord, { decision: string }>['decision']
const decisions = Object.keys({
  stop: 0,
  deny: 0,
  defer: 0,
  ask: 0,
  allow: 0,
  accept: 0,
  decline: 0,
  path: 0,
  fail: 0,
  block: 0,
  replace: 0,
  passthrough: 0,
  none: 0,
} satisfies Record<Word, 0>)
const recordKinds = Object.keys({
  verdict: 0,
  permitted: 0,
  late: 0,
  reloaded: 0,
  trust: 0,
  policy: 0,
  'session-opened': 0,
  'session-closed': 0,
  opened: 0,
  rotated: 0,
  recovered: 0,
  gap: 0,
  'broken-predecessor': 0,
} satisfies Record<AuditRecord['kind'], 0>)

const placeFlag: Flag = { flags: '--log <path>', summary: 'the folder of the log, or one .jsonl file (default: the one of this user)', completes: 'file' }
const filterFlags: readonly Flag[] = [
  placeFlag,
  { flags: '--session <id>', summary: 'of this session; the beginning of its id is enough', repeat: true },
  { flags: '--event <name>', summary: 'of this event', repeat: true, completes: 'event' },
  { flags: '--hook <id>', summary: 'in which this hook ran, or one whose id holds this text', repeat: true },
  { flags: '--decision <word>', summary: 'with this decision', repeat: true, choices: decisions },
  { flags: '--outcome <word>', summary: 'in which a hook had this outcome', repeat: true, choices: ['success', 'blocking', 'nonBlockingError', 'cancelled'] },
  { flags: '--kind <kind>', summary: 'of this kind', repeat: true, choices: recordKinds },
  { flags: '--since <time>', summary: 'from then on: 1h, 2d, 2026-11-12, 2026-11-12T14:03:00Z' },
  { flags: '--until <time>', summary: 'before then' },
]
const lastFlag: Flag = { flags: '--last <n>', summary: 'the last so many of them' }

/** `hookline log …`. */
export const logCommand: CommandEntry = {
  name: 'log',
  summary: 'the audit log: what was decided, when, and by which hooks',
  words: [],
  flags: [],
  example: 'hookline log show --since 1h --decision deny',
  commands: [
    {
      name: 'show',
      summary: 'print records, oldest first',
      words: [],
      flags: [...filterFlags, lastFlag],
      example: 'hookline log show --since 1h --decision deny',
      run: async (_words, options, context) => (await import('./commands/log-show.ts')).showLog(options, context),
    },
    {
      name: 'follow',
      summary: 'print records as they are written, until Ctrl-C',
      words: [],
      flags: filterFlags,
      example: 'hookline log follow --event PreToolUse',
      run: async (_words, options, context) => (await import('./commands/log-follow.ts')).followLog(options, context),
    },
    {
      name: 'verify',
      summary: 'say whether the log is as it was written; exit 1 when it is not, 3 when it cannot be read',
      words: [],
      flags: [
        placeFlag,
        { flags: '--session <id>', summary: 'this session only' },
        { flags: '--head <hash>', summary: 'a head that was noted earlier: it must still be there' },
        { flags: '--key-file <file>', summary: 'the base key of a sealed log, 64 hexadecimal digits', completes: 'file' },
      ],
      example: 'hookline log verify --verbose',
      run: async (_words, options, context) => (await import('./commands/log-verify.ts')).verifyLog(options, context),
    },
    {
      name: 'export',
      summary: 'print records as JSON lines, exactly as they were written, or as CSV',
      words: [],
      flags: [...filterFlags, { flags: '--format <form>', summary: 'how to print (default: jsonl)', choices: ['jsonl', 'csv'] }],
      example: 'hookline log export --since 7d --format csv > audit.csv',
      run: async (_words, options, context) => (await import('./commands/log-export.ts')).exportLog(options, context),
    },
  ],
}
