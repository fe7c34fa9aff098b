/** `hookline trust`: what the folder would run, whole, with what changed; and consent to it. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic } from '../../index.ts'
import { type Hookline, type TrustState, trustStateOf } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { noteSettings } from '../note-settings.ts'
import { openHookline } from '../opening.ts'
import { diagnosticText } from '../render/diagnostics.ts'
import { shown } from '../render/shown.ts'
import { acceptedText, trustLine, trustText } from '../render/trust.ts'
import type { Terminal } from '../terminal.ts'

/** Options of `trust approve`. */
export interface ApproveOptions extends GlobalOptions {
  yes?: true
  digest?: string
}

/** Shows everything and, where a person sits, asks. Without one it only says how to accept. @throws Failure, HooklineError. */
export async function trust(options: GlobalOptions, context: CommandContext): Promise<Exit> {
  if (canAsk(context.terminal)) return trustApprove(options, context)
  return look(options, context, (state, view) => trustText(state, view))
}

/** One line. @throws Failure, HooklineError. */
export async function trustStatus(options: GlobalOptions, context: CommandContext): Promise<Exit> {
  return look(options, context, (state, view) => trustLine(state, view))
}

/** Everything, and no question; exit 0. @throws Failure, HooklineError. */
export async function trustShow(options: GlobalOptions, context: CommandContext): Promise<Exit> {
  await look(options, context, (state, view) => trustText(state, view))
  return exits.goOn
}

/** Shows what would run, asks, and keeps a yes. @throws Failure, HooklineError. */
export async function trustApprove(options: ApproveOptions, { terminal }: CommandContext): Promise<Exit> {
  const { hookline, state, notices } = await open(options, terminal)
  try {
    if (options.digest !== undefined && options.digest.toLowerCase() !== state.digest)
      throw new Failure('trust-mismatch', `--digest: the folder has the digest ${state.digest} now.`, {
        exit: exits.findings,
        hint: 'Read what changed with `hookline trust show`.',
      })
    const view = { cwd: folderOf(options), paint: terminal.paint }
    if (state.trust === 'trusted' || state.trust === 'not-needed') {
      terminal.show(documentOf(state), () => trustLine(state, view))
      return exits.goOn
    }
    if (state.sessionOnly !== undefined)
      throw new Failure('trust-not-stored', `what ${state.folder} brings is never accepted for good, because ${state.sessionOnly}.`, {
        exit: exits.findings,
        hint: '--trust runs it, in one run.',
      })
    if (options.yes !== true) {
      if (!canAsk(terminal))
        throw new Failure('no-terminal', 'nobody can be asked here: this is no terminal.', {
          hint: 'Read `hookline trust show`, then run `hookline trust approve --yes --digest DIGEST` with the digest it shows.',
        })
      terminal.print(trustText(state, view))
      if (!(await confirmed(state))) {
        terminal.note('Nothing was accepted.')
        return exits.findings
      }
    }
    await hookline.trust.answer(state.digest, 'always')
    // An answer that could not be written down is gone with this process, so it is none.
    const kept = notices.length === 0
    for (const notice of notices) terminal.note(diagnosticText(notice, { cwd: view.cwd, paint: terminal.notePaint }))
    const after = trustStateOf(hookline) as TrustState
    terminal.show({ ...documentOf(after), accepted: kept }, () => (kept ? acceptedText(after, view) : ''))
    return kept ? exits.goOn : exits.findings
  } finally {
    await hookline.close()
  }
}

/** Forgets what was accepted. @throws Failure, HooklineError. */
export async function trustRevoke(folder: string | undefined, options: GlobalOptions, { terminal }: CommandContext): Promise<Exit> {
  const { hookline, state } = await open(options, terminal)
  try {
    const whole = folder === undefined ? state.folder : resolve(folder)
    await hookline.trust.revoke(whole)
    // A folder that is gone may well be revoked, and a misspelt one must not look as if it had been.
    const gone = existsSync(whole) ? '' : ' There is no such folder now; if you meant another one, `hookline trust revoke FOLDER` takes its path.'
    terminal.show({ version: 1, kind: 'trust-revoked', folder: whole }, () => `What was accepted for ${shown(whole)} is forgotten.${gone}`)
    return exits.goOn
  } finally {
    await hookline.close()
  }
}

type View = { cwd: string; paint: Terminal['paint'] }

async function look(options: GlobalOptions, { terminal }: CommandContext, text: (state: TrustState, view: View) => string): Promise<Exit> {
  const { hookline, state } = await open(options, terminal)
  try {
    terminal.show(documentOf(state), () => text(state, { cwd: folderOf(options), paint: terminal.paint }))
    return state.trust === 'trusted' || state.trust === 'not-needed' ? exits.goOn : exits.findings
  } finally {
    await hookline.close()
  }
}

interface Opened {
  readonly hookline: Hookline
  readonly state: TrustState
  readonly notices: Diagnostic[]
}

async function open(options: GlobalOptions, terminal: Terminal): Promise<Opened> {
  const notices: Diagnostic[] = []
  const { trust: _, trustDigest: __, ...rest } = options
  const hookline = await openHookline(rest, { onNotice: (notice) => notices.push(notice) })
  for (const notice of notices.splice(0)) terminal.note(diagnosticText(notice, { cwd: folderOf(options), paint: terminal.notePaint }))
  noteSettings(hookline, options, terminal)
  return { hookline, state: trustStateOf(hookline) as TrustState, notices }
}

/** `trust --json` and its parts. */
function documentOf({ trust: state, ...rest }: TrustState): object {
  return { version: 1, kind: 'trust', state, ...rest }
}

function canAsk({ form }: Terminal): boolean {
  return form === 'text' && process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** The default is no: one Enter accepts nothing. */
async function confirmed({ items }: TrustState): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const news = items.filter(({ change }) => change === 'added' || change === 'changed').length
  const said = await confirm({
    message: `Accept ${news === items.length ? 'all of this' : 'what is new or changed'}?`,
    active: 'Accept',
    inactive: 'No',
    initialValue: false,
  })
  return !isCancel(said) && said
}
