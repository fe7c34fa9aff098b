/** The rules for Windows, as pure functions: nothing here was run on Windows. */
import { describe, expect, it } from 'vitest'
import { commandLine } from '../../src/handlers/command-line.ts'
import { findGitBash, inGitBash, isBatchFile, toGitBashPath } from '../../src/handlers/command-windows.ts'
import { commandHook, makeContext } from './make-run.ts'

describe('the rules for Windows', () => {
  it.each([
    ['C:\\Users\\a b\\proj', '/c/Users/a b/proj'],
    ['d:/x', '/d/x'],
    ['C:', '/c'],
    ['\\\\server\\share\\x', '//server/share/x'],
    ['relative\\x', 'relative/x'],
    ['/already/so', '/already/so'],
    ['C:relative', 'C:relative'],
  ])('spell %s for Git Bash as %s', (path, spelt) => {
    expect(toGitBashPath(path)).toBe(spelt)
  })

  it.each<[name: string, env: Record<string, string>, files: string[], found: string | undefined]>([
    [
      'where the host says',
      { CLAUDE_CODE_GIT_BASH_PATH: 'D:\\b.exe', Path: 'C:\\Git\\cmd' },
      ['D:\\b.exe', 'C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\bash.exe'],
      'D:\\b.exe',
    ],
    [
      'nowhere else when the host says a place that is empty',
      { CLAUDE_CODE_GIT_BASH_PATH: 'D:\\b.exe', Path: 'C:\\Git\\cmd' },
      ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\bash.exe'],
      undefined,
    ],
    ['beside git on PATH', { Path: 'C:\\x;C:\\Git\\cmd' }, ['C:\\Git\\cmd\\git.exe', 'C:\\Git\\bin\\bash.exe'], 'C:\\Git\\bin\\bash.exe'],
    ['where it is installed', { ProgramFiles: 'C:\\Program Files' }, ['C:\\Program Files\\Git\\bin\\bash.exe'], 'C:\\Program Files\\Git\\bin\\bash.exe'],
    ['where one person installed it', { LOCALAPPDATA: 'C:\\L' }, ['C:\\L\\Programs\\Git\\bin\\bash.exe'], 'C:\\L\\Programs\\Git\\bin\\bash.exe'],
    ['nowhere', { Path: 'C:\\x' }, [], undefined],
  ])('find Git Bash %s', (_name, env, files, found) => {
    expect(findGitBash(env, (path) => files.includes(path))).toBe(found)
  })

  it('turn the paths of the protocol, and nothing else', () => {
    const env = { CLAUDE_PROJECT_DIR: 'C:\\p', CLAUDE_PLUGIN_ROOT: 'C:\\r', TEMP: 'C:\\t' }
    expect(inGitBash(env)).toEqual({ CLAUDE_PROJECT_DIR: '/c/p', CLAUDE_PLUGIN_ROOT: '/c/r', TEMP: 'C:\\t' })
  })

  it.each([
    ['x.cmd', true],
    ['C:\\a\\x.BAT', true],
    ['x.exe', false],
    ['cmd', false],
  ])('know whether %s is a batch file', (program, is) => {
    expect(isBatchFile(program)).toBe(is)
  })

  it('say that a batch file needs a shell', () => {
    const hook = commandHook('npx.cmd', { args: ['prettier'] })
    const spec = hook.spec as Parameters<typeof commandLine>[0]
    expect(commandLine(spec, hook, { context: makeContext(), env: {}, host: {}, cwd: '/', platform: 'win32' })).toEqual({
      kind: 'ended',
      ending: { kind: 'unspawnable', why: expect.stringMatching(/^EINVAL: "npx.cmd" is a batch file/) },
    })
  })

  it('fall back to PowerShell where there is no Git Bash, and say so where there is neither', () => {
    const hook = commandHook('echo x')
    const spec = hook.spec as Parameters<typeof commandLine>[0]
    expect(commandLine(spec, hook, { context: makeContext(), env: { Path: 'C:\\nowhere' }, host: {}, cwd: 'C:\\', platform: 'win32' })).toMatchObject({
      kind: 'ended',
      ending: { kind: 'unspawnable', why: expect.stringMatching(/^ENOENT: PowerShell is not installed/) },
    })
  })
})
