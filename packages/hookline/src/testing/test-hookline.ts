/** A Hookline for tests: a folder and a home of its own, trust implicit, network off, everything gone at close. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type Hookline, HooklineError, type Late } from '../index.ts'
import { createHookline, type HooklineOptions } from '../node.ts'

/** Everything `createHookline` takes, and the files of the temporary folder, by relative path. A path that begins with `~/` is below its HOME. */
export type TestHooklineOptions = HooklineOptions & { files?: Readonly<Record<string, string>> }

/** A Hookline with the folders it lives in. */
export interface TestHookline extends Hookline {
  /** The temporary folder, or the `cwd` that was given. */
  readonly cwd: string
  /** The temporary HOME. */
  readonly home: string
  /** Waits for all background hooks and returns what `drain` would. */
  settle(): Promise<Late[]>
}

/**
 * Creates a Hookline for a test; `await using` closes it. It reads no settings of the person or the machine, starts in an empty temporary
 * folder unless `cwd` is given, and refuses http hooks save to the origins in `managed.allowedHttpOrigins`. Self-protection is off, save
 * with `managed.selfProtection`.
 * Relative files in `settings` are looked for among `files`, then below the process's own directory.
 * @throws HooklineError as `createHookline`, and `invalid-option` for a file that would be written outside.
 */
export async function createTestHookline(options: TestHooklineOptions = {}): Promise<TestHookline> {
  const { files = {}, ...rest } = options
  if (rest.cwd !== undefined && Object.keys(files).some((name) => !name.startsWith('~/'))) {
    throw new HooklineError('invalid-option', 'createTestHookline: files are written into the temporary folder, but "cwd" names another.', {
      hint: 'Leave "cwd" out, or leave out "files".',
    })
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-test-')))
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  try {
    const home = join(root, 'home')
    const folder = join(root, 'project')
    mkdirSync(home)
    mkdirSync(folder)
    for (const [name, text] of Object.entries(files)) writeBelow(name.startsWith('~/') ? home : folder, name, text)
    const hookline = await createHookline({
      trust: 'implicit',
      // A test fires a few events and is over: a pool would not pay.
      pool: 'off',
      // The machine's own policy files would make a test pass on one machine only.
      sources: ['builtin', 'plugin', 'user', 'project', 'local'],
      ...rest,
      cwd: rest.cwd ?? folder,
      env: homeAt(home, rest.env),
      managed: testPolicy(rest.managed as Managed | undefined),
      ...(rest.settings === undefined ? {} : { settings: rest.settings.map((one) => (typeof one === 'string' ? placed(one, files, folder) : one)) }),
    })
    return withFolders(hookline, { cwd: rest.cwd ?? folder, home, remove })
  } catch (error) {
    remove()
    throw error
  }
}

function withFolders(hookline: Hookline, { cwd, home, remove }: { cwd: string; home: string; remove: () => void }): TestHookline {
  const close = hookline.close.bind(hookline)
  return Object.assign(hookline, {
    cwd,
    home,
    async settle(): Promise<Late[]> {
      // What ends may have started more.
      while (hookline.background.length > 0) await Promise.all(hookline.background.map((job) => job.done))
      return hookline.drain()
    },
    async close(): Promise<void> {
      await close()
      remove()
    },
  })
}

function writeBelow(folder: string, name: string, text: string): void {
  const path = resolve(folder, name.replace(/^~\//, ''))
  const inside = relative(folder, path)
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    throw new HooklineError('invalid-option', `createTestHookline: the file "${name}" would be written outside the temporary folder.`, {
      hint: 'Name files relative to it, or to its HOME with "~/".',
    })
  }
  mkdirSync(dirname(path), { recursive: true })
  // A file that begins with a shebang line is a program.
  writeFileSync(path, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
}

/** Inline JSON stays; a relative file is one of `files`, or the project's own. */
function placed(settings: string, files: Readonly<Record<string, string>>, folder: string): string {
  if (/^\s*\{/.test(settings) || isAbsolute(settings)) return settings
  return Object.hasOwn(files, settings) ? join(folder, settings) : resolve(settings)
}

type Environment = Record<string, string | undefined>

/** The environment without anything that leads to the person's own settings, state or hooks. What a test gives itself stays. */
function homeAt(home: string, given: Environment | undefined): Environment {
  const env = given ?? Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CLAUDE|HOOKLINE)_/.test(name)))
  return {
    ...env,
    HOME: home,
    USERPROFILE: home,
    CLAUDE_CONFIG_DIR: undefined,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
}

interface Managed {
  readonly allowedHttpOrigins?: unknown
  readonly allowedHttpHookUrls?: unknown
}

/**
 * The policy of a test: URLs narrowed to the origins that it opens, and self-protection off unless asked for, since its refusal would
 * pass for that of the hook under test.
 */
function testPolicy(managed: Managed = {}): object {
  const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
  const open = texts(managed.allowedHttpOrigins).map((origin) => `${origin.replace(/\/$/, '')}/`)
  const listed = managed.allowedHttpHookUrls === undefined ? open.map((origin) => `${origin}*`) : texts(managed.allowedHttpHookUrls)
  return { selfProtection: false, ...managed, allowedHttpHookUrls: listed.filter((url) => open.some((origin) => url.startsWith(origin))) }
}
