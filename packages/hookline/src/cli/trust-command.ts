/** The `trust` command as data: what the folder would run, consent to it, and the lock file for reviews. */
import type { CommandEntry } from './command-table.ts'
import type { Flag } from './flags.ts'

const approveFlags: readonly Flag[] = [
  { flags: '--yes', summary: 'ask nothing: accept what is there now' },
  { flags: '--digest <digest>', summary: 'accept only if the folder still has this digest' },
]

/** `hookline trust …`. */
export const trustCommand: CommandEntry = {
  name: 'trust',
  summary: 'show what this folder would run and what changed, and accept it',
  words: [],
  flags: [],
  example: 'hookline trust',
  run: async (_words, options, context) => (await import('./commands/trust.ts')).trust(options, context),
  commands: [
    {
      name: 'status',
      summary: 'say in one line whether everything is accepted; exit 1 when it is not',
      words: [],
      flags: [],
      example: 'hookline trust status --json',
      run: async (_words, options, context) => (await import('./commands/trust.ts')).trustStatus(options, context),
    },
    {
      name: 'show',
      summary: 'print everything that the folder would run, whole, with what changed',
      words: [],
      flags: [],
      example: 'hookline trust show',
      run: async (_words, options, context) => (await import('./commands/trust.ts')).trustShow(options, context),
    },
    {
      name: 'approve',
      summary: 'show it, ask, and keep the answer',
      words: [],
      flags: approveFlags,
      example: 'hookline trust approve --yes --digest 9f2c…',
      run: async (_words, options, context) => (await import('./commands/trust.ts')).trustApprove(options, context),
    },
    {
      name: 'revoke',
      summary: 'forget what was accepted for a folder',
      words: [{ name: '[folder]', kind: 'file', summary: 'the folder (default: the one whose settings count)' }],
      flags: [],
      example: 'hookline trust revoke',
      run: async (words, options, context) => (await import('./commands/trust.ts')).trustRevoke(words[0] as string | undefined, options, context),
    },
    {
      name: 'lock',
      summary: 'write .hookline/hooks.lock: what the repository runs, for reviews',
      words: [],
      flags: [],
      example: 'hookline trust lock',
      run: async (_words, options, context) => (await import('./commands/trust-lock.ts')).trustLock(options, context),
    },
    {
      name: 'verify',
      summary: 'compare the repository with its lock file; exit 1 when they differ',
      words: [],
      flags: [],
      example: 'hookline trust verify',
      run: async (_words, options, context) => (await import('./commands/trust-lock.ts')).trustVerify(options, context),
    },
  ],
}
