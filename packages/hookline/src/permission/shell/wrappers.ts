/** Programs that run the command behind them, and how many of their own words stand before it. */
import { type ShellWord, UNKNOWN } from './word.ts'

/** How a wrapper's own words are read. Letters are short options. */
export interface Wrapper {
  /** Options without a value. */
  readonly flags?: string
  /** Options with a value. */
  readonly values?: string
  /** Options whose value is shell source. */
  readonly sources?: string
  /** Options that mean: run nothing. */
  readonly nothing?: string
  /** Long options whose value is a word of its own. */
  readonly longs?: readonly string[]
  /** Words before the command, beside options. */
  readonly positional?: number
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: true
  /** Hands its words to a shell as one text. */
  readonly joins?: true
  /** An allow rule may look through it (protocol §4.4). */
  readonly safe?: true
}

/** Wrappers whose words are known. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  builtin: { safe: true },
  busybox: {},
  caffeinate: { flags: 'dimsu', values: 'tw' },
  chroot: { positional: 1 },
  chrt: { flags: 'abdfimopr', values: 'TPD', positional: 1 },
  command: { flags: 'p', nothing: 'vV', safe: true },
  coproc: {},
  doas: { flags: 'nsL', values: 'aCu' },
  env: { flags: 'i0v', values: 'uCa', sources: 'S', longs: ['--unset', '--chdir', '--argv0', '--split-string'], assigns: true },
  exec: { flags: 'cl', values: 'a' },
  firejail: {},
  flock: { flags: 'sxenuoFv', values: 'wE', sources: 'c', longs: ['--timeout', '--wait', '--conflict-exit-code', '--command'], positional: 1 },
  ionice: { flags: 't', values: 'cnpPu', longs: ['--class', '--classdata', '--pid'] },
  ltrace: { flags: 'bcCfiLrStTV', values: 'aADeFlnopsuwxX' },
  nice: { values: 'n', longs: ['--adjustment'], safe: true },
  nocorrect: {},
  noglob: { safe: true },
  nohup: { safe: true },
  nsenter: { flags: 'amuipnCUTrwFZe', values: 'tSGN', longs: ['--target', '--setuid', '--setgid'] },
  numactl: { values: 'ClNmpi' },
  prlimit: {},
  proot: { values: 'rbwq' },
  runuser: { flags: 'flmpP', values: 'ugGsw', sources: 'c', longs: ['--user', '--group', '--shell', '--command'] },
  script: { flags: 'aefqV', values: 'BIOTtmoE', sources: 'c', longs: ['--command'], positional: Number.POSITIVE_INFINITY },
  setarch: { positional: 1 },
  setpriv: {},
  setsid: { flags: 'cfw' },
  stdbuf: { values: 'ioe', longs: ['--input', '--output', '--error'], safe: true },
  strace: { flags: 'cCdDfFhiknNqrtTvVwxyYzZ', values: 'abeEIoOpPsSuUX' },
  su: { flags: 'flmpP', values: 'gGsw', sources: 'c', longs: ['--command', '--shell', '--group'], positional: Number.POSITIVE_INFINITY },
  sudo: {
    flags: 'AbBEeHKklnPSsVvi',
    values: 'CDghpRrTtUu',
    longs: ['--user', '--group', '--host', '--prompt', '--chdir', '--chroot', '--role', '--type', '--close-from', '--other-user', '--command-timeout'],
    assigns: true,
  },
  'systemd-run': {
    flags: 'tPqdSGr',
    values: 'pEHMu',
    longs: [
      '--unit',
      '--property',
      '--description',
      '--slice',
      '--setenv',
      '--machine',
      '--host',
      '--uid',
      '--gid',
      '--nice',
      '--working-directory',
      '--on-active',
      '--on-calendar',
    ],
  },
  taskset: { flags: 'acp', positional: 1 },
  time: { flags: 'apqvV', values: 'fo', longs: ['--format', '--output'], safe: true },
  timeout: { flags: 'fpv', values: 'ks', longs: ['--kill-after', '--signal'], positional: 1, safe: true },
  toybox: {},
  unbuffer: { flags: 'p' },
  unshare: { flags: 'mupiUCTnrcf', values: 'RwSG' },
  valgrind: {},
  watch: { flags: 'bcCdegrtvwx', values: 'nq', longs: ['--interval', '--equexit'], joins: true },
  'xvfb-run': { flags: 'al', values: 'efnps' },
}

/**
 * Programs that run a command from somewhere among their words: containers, remote shells, tool managers.
 * Where it starts is not known, so every word may be its first.
 */
export const runners: ReadonlySet<string> = new Set([
  'asdf',
  'at',
  'aws-vault',
  'batch',
  'bundle',
  'bunx',
  'chamber',
  'cmd',
  'concurrently',
  'conda',
  'cross-env',
  'dbus-run-session',
  'devbox',
  'direnv',
  'distrobox',
  'docker',
  'docker-compose',
  'doppler',
  'dotenv',
  'entr',
  'flatpak',
  'foreman',
  'gosu',
  'hyperfine',
  'kubectl',
  'lxc',
  'machinectl',
  'mise',
  'mosh',
  'nerdctl',
  'nix',
  'nix-shell',
  'nodemon',
  'npx',
  'op',
  'pipenv',
  'pipx',
  'pkexec',
  'pnpx',
  'podman',
  'poetry',
  'powershell',
  'pwsh',
  'pyenv',
  'rbenv',
  'rtx',
  'screen',
  'ssh',
  'start-stop-daemon',
  'su-exec',
  'tini',
  'tmux',
  'toolbox',
  'torsocks',
  'tsocks',
  'uv',
  'uvx',
  'vagrant',
  'volta',
  'watchexec',
  'winpty',
  'wsl',
  'proxychains',
  'proxychains4',
  'rlwrap',
  'nsjail',
  'bwrap',
  'fakeroot',
  'eatmydata',
  'catchsegv',
  'choom',
  'perf',
  'gdb',
])

/** A wrapper's words, taken apart. */
export interface Unwrapped {
  /** The command it runs; empty when it runs none. */
  readonly inner: readonly ShellWord[]
  /** Where the command starts, counted in the words after the wrapper's name. */
  readonly at: number
  /** Option values that are shell source. */
  readonly sources: readonly ShellWord[]
  /** `NAME=value` words that stood before the command. */
  readonly assigned: readonly ShellWord[]
  /** Every option is one we know. */
  readonly known: boolean
}

/** Takes the words after a wrapper's name apart. */
export function unwrap(wrapper: Wrapper, args: readonly ShellWord[]): Unwrapped {
  const sources: ShellWord[] = []
  const assigned: ShellWord[] = []
  let known = true
  let left = wrapper.positional ?? 0
  let at = 0
  const done = (inner: readonly ShellWord[]): Unwrapped => ({ inner, at, sources, assigned, known })
  for (; at < args.length; at++) {
    const word = args[at] as ShellWord
    const text = word.text
    if (text === '--') {
      // Options end here; the positional words still follow.
      at += 1 + left
      return done(args.slice(at))
    }
    if (text.startsWith('--')) {
      const [name = '', value] = split(text)
      const source = wrapper.sources !== undefined && (name === '--command' || name === '--split-string')
      if (value !== undefined && source) sources.push({ ...word, text: value })
      else if (value === undefined && (wrapper.longs ?? []).includes(name)) {
        const next = args[++at]
        if (source && next) sources.push(next)
      } else if (value === undefined) known = false
    } else if (text === '-' && wrapper.flags !== undefined) continue
    else if (text.length > 1 && text.startsWith('-')) {
      const taken = cluster(wrapper, word, args[at + 1])
      if (taken.nothing) return done([])
      known &&= taken.known
      if (taken.source) sources.push(taken.source)
      if (taken.next) at++
    } else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(text)) assigned.push(word)
    else if (left > 0) left--
    else return done(args.slice(at))
  }
  return done([])
}

function split(option: string): [string, string | undefined] {
  const equals = option.indexOf('=')
  return equals < 0 ? [option, undefined] : [option.slice(0, equals), option.slice(equals + 1)]
}

/** One short option or several in a word: the first that takes a value takes the rest of the word, or the next word. */
function cluster(wrapper: Wrapper, word: ShellWord, next: ShellWord | undefined): { known: boolean; next?: true; nothing?: true; source?: ShellWord } {
  if (word.text.includes(UNKNOWN)) return { known: false }
  for (let i = 1; i < word.text.length; i++) {
    const letter = word.text[i] as string
    if (wrapper.nothing?.includes(letter)) return { known: true, nothing: true }
    const source = wrapper.sources?.includes(letter) ?? false
    if (source || wrapper.values?.includes(letter)) {
      const attached = word.text.slice(i + 1)
      const value = attached === '' ? next : { ...word, text: attached }
      return { known: true, ...(attached === '' && { next: true as const }), ...(source && value && { source: value }) }
    }
    // `nice -5`: a number is a value of its own.
    if (!(wrapper.flags?.includes(letter) || /\d/.test(letter))) return { known: false }
  }
  return { known: true }
}
