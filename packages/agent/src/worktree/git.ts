/** Git, as far as worktrees need it: real processes, clear errors. */
import { execFile } from 'node:child_process'

/** Runs git in `cwd`; gives what it printed, rejects with what it said. */
export function git(cwd: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd, encoding: 'utf8' as const, maxBuffer: 16 * 1024 * 1024, ...(signal === undefined ? {} : { signal }) }
    execFile('git', [...args], options, (error, stdout, stderr) => {
      if (error === null) return done(stdout)
      const said = stderr.trim() === '' ? error.message : stderr.trim()
      fail(new Error(`git ${args[0]} failed in ${cwd}: ${said}`))
    })
  })
}

/** The top folder of the repository that `folder` lies in; undefined outside of one. */
export async function topOf(folder: string): Promise<string | undefined> {
  try {
    return (await git(folder, ['rev-parse', '--show-toplevel'])).trim()
  } catch {
    return undefined
  }
}
