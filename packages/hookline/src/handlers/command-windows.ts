/** Where a shell is found on Windows, and how paths look inside of it. Pure rules; written after the documentation and not run on Windows. */
import { win32 } from 'node:path'
import type { HostEnvironment } from './command-environment.ts'

const pathVariables = ['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_ENV_FILE'] as const

/** Git for Windows' bash: where the host says, beside the `git` on PATH, or where its installer puts it. */
export function findGitBash(env: HostEnvironment, isFile: (path: string) => boolean): string | undefined {
  const told = env['CLAUDE_CODE_GIT_BASH_PATH']
  if (told !== undefined && told !== '') return isFile(told) ? told : undefined
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(win32.delimiter).filter((folder) => folder !== '')
  const beside = folders.filter((folder) => isFile(win32.join(folder, 'git.exe'))).map((folder) => win32.join(folder, '..', 'bin', 'bash.exe'))
  const installed = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA'] && win32.join(env['LOCALAPPDATA'], 'Programs')]
    .filter((folder) => folder !== undefined && folder !== '')
    .map((folder) => win32.join(folder as string, 'Git', 'bin', 'bash.exe'))
  return [...beside, ...installed].find(isFile)
}

/** A Windows path as Git Bash writes it: `C:\a b` is `/c/a b`, `\\server\share` is `//server/share`. Anything else only gets its slashes turned. */
export function toGitBashPath(path: string): string {
  const turned = path.replaceAll('\\', '/')
  const drive = /^([A-Za-z]):(?=\/|$)/.exec(turned)?.[1]
  return drive === undefined ? turned : `/${drive.toLowerCase()}${turned.slice(2)}`
}

/** The environment with the protocol's paths in Git Bash's spelling. */
export function inGitBash<E extends Record<string, string>>(env: E): E {
  const turned = Object.assign(Object.create(null), env)
  for (const name of pathVariables) if (env[name] !== undefined) turned[name] = toGitBashPath(env[name])
  return turned
}

/** True for a batch file, which Windows starts only through a shell. */
export function isBatchFile(program: string): boolean {
  return /\.(?:cmd|bat)$/i.test(program)
}
