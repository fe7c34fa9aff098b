/** The programs that fence a process in, tried once per process: what this machine really lets us do, not what is installed. */
import { existsSync } from 'node:fs'
import type { Sandbox } from '../protocol/sandbox.ts'
import { guardLine, innerLine } from './sandbox-shells.ts'

/** One way to fence in, that was seen to work. */
export interface Fencer {
  readonly program: string
  /** Stands before the rules and the program. */
  readonly before: readonly string[]
  /** Stands between them. */
  readonly between: readonly string[]
}

// Not the PATH of a hook: what fences a hook in must not be chosen by it.
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin']
const tryMs = 5_000

const commonBubblewrap = ['--unshare-pid', '--die-with-parent']
// Without rights of its own in its own namespace of users, nothing that is mounted can be taken away again, not even by root.
const tight = ['--unshare-user', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--cap-drop', 'ALL']

/** No network but a loopback of its own. */
export const cutOff: readonly string[] = ['--unshare-net']

const restrictedBase: readonly string[] = [...tight, '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

/** The ways to try, the best one first. */
export function fencersOf(mode: Sandbox['mode']): Fencer[] {
  const whole = ['--dev-bind', '/', '/']
  if (mode === 'restricted') return bubblewraps([[...commonBubblewrap, ...restrictedBase]])
  return [
    // The second is for containers that do not allow another /proc.
    ...bubblewraps([
      [...commonBubblewrap, ...whole, '--proc', '/proc'],
      [...commonBubblewrap, ...whole],
    ]),
    ...unshares(),
  ]
}

function bubblewraps(options: readonly (readonly string[])[]): Fencer[] {
  const bubblewrap = find('bwrap')
  return bubblewrap === undefined ? [] : options.map((before) => guarded([bubblewrap, ...before]))
}

function unshares(): Fencer[] {
  const unshare = find('unshare')
  if (unshare === undefined) return []
  const own = ['--user', '--map-current-user']
  const isRoot = process.geteuid?.() === 0
  return [[...own, '--mount-proc'], ...(isRoot ? [['--mount-proc']] : []), own].map((options) =>
    guarded([unshare, ...options, '--pid', '--fork', '--kill-child']),
  )
}

/** With the shells around it. */
function guarded(line: readonly string[]): Fencer {
  const [program = '', ...before] = guardLine
  return { program, before: [...before, ...line], between: ['--', ...innerLine(find('setsid'))] }
}

function find(name: string): string | undefined {
  return folders.map((folder) => `${folder}/${name}`).find((file) => existsSync(file))
}

type Found = { readonly fencer: Fencer } | { readonly why: string }
const found = new Map<string, Found>()

/** The first way that works. The first call of each kind tries, and takes some milliseconds; later ones know. */
export function findFencer({ mode, network = false }: Sandbox): Found {
  const key = `${mode} ${mode === 'restricted' && network}`
  const known = found.get(key)
  if (known !== undefined) return known
  const one = tryAll(mode, network ? [] : cutOff)
  found.set(key, one)
  return one
}

/** Why a fence cannot be built here, and what to do; `undefined` when it can. */
export function sandboxFault(sandbox: Sandbox): string | undefined {
  const one = findFencer(sandbox)
  return 'why' in one ? one.why : undefined
}

function tryAll(mode: Sandbox['mode'], rules: readonly string[]): Found {
  if (process.platform !== 'linux') return { why: `sandboxes are built on Linux only, and this is ${process.platform}; leave "sandbox" out here` }
  const all = fencersOf(mode)
  let said: string | undefined
  for (const fencer of all) {
    const fault = tryFencer(fencer, mode === 'restricted' ? rules : [])
    if (fault === undefined) return { fencer }
    said ??= fault
  }
  const install = mode === 'restricted' ? 'install bubblewrap' : 'install bubblewrap, or unshare of util-linux'
  if (said === undefined) return { why: `there is no ${mode === 'restricted' ? 'bubblewrap' : 'bubblewrap and no unshare'} on this machine; ${install}` }
  const missing = mode === 'contained' && find('bwrap') === undefined ? '; or install bubblewrap' : ''
  return { why: `this machine does not let us make namespaces (${said}); allow user namespaces for this user${missing}` }
}

/** Runs an empty command that way; why that failed, or `undefined`. */
export function tryFencer({ program, before, between }: Fencer, rules: readonly string[] = []): string | undefined {
  // Looked up when it is needed: a program without sandboxed hooks does not load it.
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { error, status, signal, stderr } = spawnSync(program, [...before, ...rules, ...between, '/bin/sh', '-c', ':'], {
    cwd: '/',
    env: { PATH: folders.join(':') },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    timeout: tryMs,
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  const last = String(stderr ?? '')
    .trim()
    .split('\n')
    .at(-1)
  return last === undefined || last === '' ? (error?.message ?? `it ended with ${status ?? signal}`) : last.slice(0, 200)
}
