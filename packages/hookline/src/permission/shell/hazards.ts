/** Options and words that make an ordinary program run another one or write a file: never covered by a star. */
import { splitGit } from './git.ts'
import { baseName } from './names.ts'
import type { ShellWord } from './word.ts'

interface Hazard {
  /** Short options, as letters. */
  readonly short?: string
  /** Long options; an abbreviation counts too. */
  readonly long?: readonly string[]
  /** Any word that looks like this. */
  readonly word?: RegExp
  /** The program's own script, judged whole: anything but this is a hazard. */
  readonly script?: RegExp
  /** More operands than this write a file. */
  readonly operands?: number
}

// In each row: what the program's manual lists as running a program, loading code, or writing a file.
const hazards: Readonly<Record<string, Hazard>> = {
  ack: { long: ['--pager', '--output'] },
  ag: { long: ['--pager'] },
  awk: {
    short: 'filEoD',
    long: ['--file', '--include', '--load', '--exec', '--pretty-print', '--dump-variables', '--profile', '--debug'],
    word: /system|getline|[|>@]/,
  },
  bat: { long: ['--pager', '--diff-so-fancy'] },
  crontab: { operands: 0, short: 'er' },
  cargo: { long: ['--config', '--manifest-path'] },
  curl: {
    short: 'KoOTDcJ',
    long: [
      '--config',
      '--output',
      '--remote-',
      '--upload-file',
      '--dump-header',
      '--cookie-jar',
      '--trace',
      '--stderr',
      '--libcurl',
      '--engine',
      '--etag-save',
      '--hsts',
      '--alt-svc',
      '--write-out',
    ],
  },
  date: { short: 's', long: ['--set'] },
  docker: { short: 'Hc', long: ['--host', '--context', '--config'] },
  fd: { short: 'xX', long: ['--exec', '--exec-batch'] },
  file: { short: 'Cm', long: ['--compile', '--magic-file'] },
  find: { word: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/ },
  gh: { word: /^(?:alias|extension|codespace)$/ },
  history: { short: 'awnrcds' },
  go: { word: /^--?(?:exec|toolexec|vettool|overlay|modfile|C)(?:=|$)/ },
  gpg: { long: ['--exec-path', '--options', '--homedir', '--output', '--photo-viewer', '--agent-program', '--dirmngr-program', '--pinentry-mode'], short: 'o' },
  hostname: { operands: 0, short: 'bF' },
  iconv: { short: 'o', long: ['--output'] },
  ip: { word: /^(?:exec|netns)$|^-(?:b|batch)/ },
  jq: { short: 'fL', long: ['--from-file', '--library-path'] },
  kubectl: { long: ['--kubeconfig', '--server', '--context', '--cluster', '--token'] },
  less: { short: 'oOkK', word: /^\+/, long: ['--log-file', '--LOG-FILE', '--lesskey'] },
  lsof: { short: 'D' },
  man: { short: 'PHCMpRX', long: ['--pager', '--html', '--config-file', '--preprocessor', '--manpath', '--recode', '--gxditview', '--browser'] },
  make: { short: 'fCEI', long: ['--file', '--makefile', '--directory', '--eval', '--include-dir'], word: /^(?:SHELL|MAKEFLAGS|CC|CXX|LD|AR|AS)[:+?!]*=/ },
  nc: { short: 'ecC', long: ['--exec', '--sh-exec', '--lua-exec'] },
  nmap: { long: ['--script', '--datadir', '--interactive', '--resume'], short: 'oi' },
  npm: { long: ['--prefix', '--script-shell', '--userconfig', '--globalconfig', '--node-options'] },
  openssl: { word: /^-(?:out|engine|provider|config)/ },
  pr: {},
  printf: { short: 'v' },
  rg: { short: 'z', long: ['--pre', '--hostname-bin', '--search-zip'] },
  rsync: {
    short: 'e',
    long: [
      '--rsh',
      '--rsync-path',
      '--log-file',
      '--daemon',
      '--write-batch',
      '--only-write-batch',
      '--remove-source-files',
      '--delete',
      '--partial-dir',
      '--temp-dir',
      '--backup-dir',
    ],
  },
  scp: { short: 'SoFDJ' },
  sed: {
    short: 'if',
    long: ['--in-place', '--file'],
    script:
      /^(?:s([/|,:#@!%+~])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM\d]*|(?:\d+|\$|\/(?:\\.|[^\\/\n])*\/)?(?:,(?:\d+|\$|\/(?:\\.|[^\\/\n])*\/))?!?[pdq=])(?:\s*;\s*[\d$,]*[pdq=])*$/,
  },
  sftp: { short: 'SoFDbJ' },
  shuf: { short: 'o', long: ['--output'] },
  sort: { short: 'oTS', long: ['--output', '--compress-program', '--temporary-directory'] },
  split: { long: ['--filter'] },
  sqlite3: { word: /^\.|^-(?:cmd|init|A)/ },
  ss: { short: 'KD', long: ['--kill', '--diag'] },
  ssh: { short: 'oFESDLRWwiIJ' },
  tar: {
    short: 'IF',
    long: [
      '--checkpoint-action',
      '--to-command',
      '--use-compress-program',
      '--rsh-command',
      '--rmt-command',
      '--info-script',
      '--new-volume-script',
      '--absolute-names',
      '--remove-files',
    ],
  },
  tcpdump: { short: 'zwWGrFZ' },
  tree: { short: 'oR' },
  uniq: { operands: 1 },
  wget: {
    short: 'OoPeixK',
    long: [
      '--output-document',
      '--output-file',
      '--directory-prefix',
      '--execute',
      '--input-file',
      '--use-askpass',
      '--config',
      '--post-file',
      '--body-file',
      '--append-output',
      '--save-cookies',
      '--warc-file',
    ],
  },
  xxd: { operands: 1, short: 'r' },
  yq: { short: 'if', long: ['--inplace', '--in-place', '--from-file', '--split-exp'] },
  zip: { short: 'TmO', long: ['--unzip-command', '--test', '--move', '--output-file'] },
}
const alike: Readonly<Record<string, string>> = {
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
  fdfind: 'fd',
  batcat: 'bat',
  podman: 'docker',
  bsdtar: 'tar',
  gtar: 'tar',
  nerdctl: 'docker',
  gmake: 'make',
  ncat: 'nc',
  netcat: 'nc',
  gpg2: 'gpg',
}

const gitAnywhere = [
  '--config',
  '--upload-pack',
  '--receive-pack',
  '--exec',
  '--open-files-in-pager',
  '--output',
  '--ext-diff',
  '--textconv',
  '--extcmd',
  '--template',
  '--remote',
  '--exec-path',
]
const gitOptions: Readonly<Record<string, string>> = {
  archive: 'o',
  clone: 'uc',
  difftool: 'xt',
  'format-patch': 'o',
  grep: 'O',
  rebase: 'xi',
  commit: 'F',
  diff: 'O',
  log: 'O',
  fetch: 'u',
  add: 'ip',
}
const gitPrograms = new Set([
  'bisect',
  'config',
  'credential',
  'daemon',
  'difftool',
  'fast-import',
  'filter-branch',
  'for-each-repo',
  'hook',
  'instaweb',
  'maintenance',
  'mergetool',
  'send-email',
  'shell',
  'submodule',
  'web--browse',
  'remote-ext',
  'update-index',
  'apply',
  'am',
])

/** The first word that makes a program run or write something else, and whether the program is one we know such words of. */
export function runsOrWrites(words: readonly ShellWord[]): { at?: number; why: string; listed: boolean } {
  const name = baseName(words[0]?.text ?? '')
  if (name === 'git') return gitHazard(words)
  const known = Object.hasOwn(alike, name) ? (alike[name] as string) : name
  const hazard = Object.hasOwn(hazards, known) ? hazards[known] : undefined
  if (hazard === undefined) return { why: '', listed: false }
  let operands = 0
  let options = true
  let script = hazard.script !== undefined
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (text === '--' && options) {
      options = false
      continue
    }
    const option = options && text.length > 1 && text.startsWith('-')
    const found =
      (option && isOption(text, hazard)) || hazard.word?.test(text) === true || (!option && hazard.operands !== undefined && ++operands > hazard.operands)
    if (found) return { at, why: `"${name}" with "${text}" can run a program or write a file`, listed: true }
    if (hazard.script === undefined || text === '-') continue
    const given = text === '-e' || text === '--expression' ? words[++at]?.text : /^(?:-\w*e|--expression=)(.+)$/s.exec(text)?.[1]
    const code = given ?? (!option && script ? text : undefined)
    if (code === undefined) continue
    script = false
    if (!hazard.script.test(code.trim())) return { at, why: `"${name}" with "${code}" may run a program or write a file`, listed: true }
  }
  return { why: '', listed: true }
}

function isOption(text: string, hazard: Hazard): boolean {
  if (!text.startsWith('--')) return [...text.slice(1)].some((letter) => hazard.short?.includes(letter))
  const name = text.split('=')[0] ?? text
  return (hazard.long ?? []).some((long) => long.startsWith(name) || (long.endsWith('-') && name.startsWith(long)))
}

function gitHazard(words: readonly ShellWord[]): { at?: number; why: string; listed: boolean } {
  const { rest, skipped } = splitGit(words.slice(1))
  const global = words
    .slice(1, 1 + skipped)
    .findIndex((w) => !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--bare|--no-replace-objects|--version|--help)$/.test(w.text))
  if (global >= 0) return { at: 1 + global, why: "git with global options can run other programs or another folder's settings", listed: true }
  const sub = rest[0]?.text ?? ''
  const at = 1 + skipped
  if (gitPrograms.has(sub) && !(sub === 'config' && /^(?:--get|--list|-l|--get-all|get|list)$/.test(rest[1]?.text ?? '')))
    return { at: at + 1, why: `"git ${sub}" can run programs or change what git runs`, listed: true }
  for (let i = 1; i < rest.length; i++) {
    const text = rest[i]?.text ?? ''
    const name = text.split('=')[0] ?? text
    const long = text.startsWith('--') && text.length > 2 && gitAnywhere.some((l) => l === name || (name.length > 4 && l.startsWith(name)))
    const short = /^-[A-Za-z]/.test(text) && [...text.slice(1)].some((letter) => gitOptions[sub]?.includes(letter))
    if (long || short || text.includes('ext::')) return { at: at + i, why: `"git ${sub}" with "${text}" can run a program or write a file`, listed: true }
  }
  return { why: '', listed: true }
}
