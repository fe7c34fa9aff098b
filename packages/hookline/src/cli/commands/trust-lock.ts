/** `hookline trust lock` and `hookline trust verify`: the lock file of a repository, written and checked. */
import { relative } from 'node:path'
import { lockTrust, verifyTrust } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { count, shown } from '../render/shown.ts'
import { itemsText } from '../render/trust.ts'

/** Writes the lock. @throws Failure, HooklineError. */
export async function trustLock(options: GlobalOptions, { terminal }: CommandContext): Promise<Exit> {
  const cwd = folderOf(options)
  const { file, digest, items } = await lockTrust({ cwd })
  const hooks = items.filter(({ kind }) => kind !== 'script' && kind !== 'env' && kind !== 'rule').length
  const scripts = items.filter(({ kind }) => kind === 'script').length
  terminal.show(
    { version: 1, kind: 'trust-lock', file, digest, hooks, scripts },
    () =>
      `wrote ${shown(relative(cwd, file))}: ${count(hooks, 'hook')}, ${count(scripts, 'script')}, digest ${digest}\nCommit it; \`hookline trust verify\` compares in CI.`,
  )
  return exits.goOn
}

/** Compares; gives 1 when anything differs. @throws Failure, HooklineError. */
export async function trustVerify(options: GlobalOptions, { terminal }: CommandContext): Promise<Exit> {
  const cwd = folderOf(options)
  const verified = await verifyTrust({ cwd })
  const { ok, file, digest, lock, differences } = verified
  terminal.show({ version: 1, kind: 'trust-verification', ok, lock, file, digest, differences }, () => {
    const name = shown(relative(cwd, file))
    if (lock === 'absent') return `${name}: there is no lock file. \`hookline trust lock\` writes one.`
    if (lock === 'broken') return `${name}: this is no lock file. \`hookline trust lock\` writes it anew.`
    if (ok) return `${name}: the repository runs what the lock says, digest ${digest}.`
    if (differences.length === 0) return `${name}: the digest in it is not that of its entries; somebody edited it by hand.`
    return `${name}: ${count(differences.length, 'difference')}\n${itemsText(differences, { cwd, paint: terminal.paint })}\nReview them, then run \`hookline trust lock\`.`
  })
  return ok ? exits.goOn : exits.findings
}
