/** Which runs the pool takes on. */
import { describe, expect, it } from 'vitest'
import { fitShell } from '../../src/process/pool-fit.ts'

const fit = (command: string, env: Record<string, string> = {}, cwd = '/') => fitShell('/bin/sh', ['-c', command], { cwd, env }) !== undefined

describe('the pool takes on', () => {
  it.each<[name: string, command: string, env?: Record<string, string>, cwd?: string]>([
    ['a command', 'exit 2'],
    ['an empty command', ''],
    ['quotes and line ends', `echo "it's"\n\n'x'`],
    ['variables with quotes and line ends', 'x', { A: `'"\n` }],
    ['a kill by number', 'kill -9 $$; kill -TERM 0'],
    ['what only looks like a quiet signal', 'echo killer -2; kill -20 1; kill -INTERNAL'],
  ])('%s', (_name, command, env, cwd) => {
    expect(fit(command, env, cwd)).toBe(true)
  })
})

describe('the pool leaves to a process of its own', () => {
  it.each<[name: string, command: string, env?: Record<string, string>, cwd?: string]>([
    ['a command with a NUL', 'a\0b'],
    ['a command that is very long', 'x'.repeat(9_000)],
    ['a folder that is not absolute', 'x', {}, 'here'],
    ['a folder with a NUL', 'x', {}, '/a\0b'],
    ['a variable with a NUL', 'x', { A: '\0' }],
    ['a name with a NUL', 'x', { 'A\0': '1' }],
    ['a variable near the limit of the system', 'x', { A: 'x'.repeat(50_000) }],
    ['an environment near the limit of the system', 'x', Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`A${index}`, 'x'.repeat(30_000)]))],
    ['a name that shells keep for themselves', 'x', { OPTIND: '1' }],
    ['a SIGINT', 'kill -INT $$'],
    ['a SIGINT by number', 'true; kill -2 $$'],
    ['a SIGPIPE', 'kill -s SIGPIPE 1'],
  ])('%s', (_name, command, env, cwd) => {
    expect(fit(command, env, cwd)).toBe(false)
  })

  it.each<[name: string, program: string, args: readonly string[]]>([
    ['the exec form', 'guard', ['-c', 'x']],
    ['another shell', '/bin/bash', ['-c', 'x']],
    ['arguments for the command', '/bin/sh', ['-c', 'x', 'y']],
    ['a script', '/bin/sh', ['guard.sh']],
  ])('%s', (_name, program, args) => {
    expect(fitShell(program, args, { cwd: '/', env: {} })).toBeUndefined()
  })
})
