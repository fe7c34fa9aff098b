/** Starts the built command line as a real process, in a project and a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { root } from '../house/reading.ts'

export const bin = join(root, 'packages/hookline/bin/hookline.cjs')

/** What a finished process left. */
export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface StartOptions {
  input?: string | Buffer
  env?: Record<string, string>
  cwd?: string
  /** Sees the process when it has started. */
  started?: (child: ChildProcess) => void
}

/** One project folder with a home beside it. */
export interface Project {
  folder: string
  home: string
  /** Writes a file of the project. */
  write(path: string, content: string | object): string
  /** Writes an executable shell script of the project. */
  script(path: string, body: string): string
  /** Writes a file of the home folder. */
  writeHome(path: string, content: string | object): string
  hookline(args: readonly string[], options?: StartOptions): Promise<Finished>
}

const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** An empty project. It goes when the tests of the file are done. */
export function project(): Project {
  if (!existsSync(join(root, 'packages/hookline/dist/cli.cjs'))) throw new Error('The command line is not built: run "npm run build" first.')
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-cli-')))
  made.push(base)
  const folder = join(base, 'project')
  const home = join(base, 'home')
  for (const path of [folder, home]) mkdirSync(path)
  const put = (file: string, content: string | object) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    return file
  }
  return {
    folder,
    home,
    write: (path, content) => put(join(folder, path), content),
    script: (path, body) => {
      const file = put(join(folder, path), `#!/bin/sh\n${body}\n`)
      chmodSync(file, 0o755)
      return file
    },
    writeHome: (path, content) => put(join(home, path), content),
    hookline: (args, options = {}) => start(args, { cwd: folder, ...options, env: { ...environment(home), ...options.env } }),
  }
}

/** Nothing of the environment of whoever runs the tests may matter. */
function environment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
}

function start(args: readonly string[], { cwd, env, input, started }: StartOptions): Promise<Finished> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', failed)
    child.on('close', (code, signal) => done({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }))
    // The process may stop reading early, for example when there is too much.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
    started?.(child)
  })
}

/** What stdout holds, which must be exactly one JSON document. */
export function documentOf({ stdout }: Finished): Record<string, unknown> & { kind?: string } {
  return JSON.parse(stdout) as Record<string, unknown>
}
