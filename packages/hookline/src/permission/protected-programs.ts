/** What programs do to the files among their words: which only read, which write where, and which put things in place. */
import { isShell } from './shell/shells.ts'

/** How the words of one command touch files. */
export type Touch =
  /** Nothing is written, whatever is named. */
  | { readonly kind: 'reads' }
  /** The words at these places are written; the others are read. */
  | { readonly kind: 'writes'; readonly words: readonly string[] }
  /** What is named is changed or goes away, with all below it. */
  | { readonly kind: 'removes'; readonly words: readonly string[] }
  /** Everything below these folders that has one of these names changes; `all`: nothing is left of them. */
  | { readonly kind: 'searches'; readonly roots: readonly string[]; readonly names: readonly string[]; readonly all: boolean }
  /** The last word is what the others are put at; `moves`: they are gone where they were. */
  | {
      readonly kind: 'places'
      readonly from: readonly string[]
      readonly to: string | undefined
      readonly moves: boolean
      readonly links: boolean
      readonly deep: boolean
    }
  /** Code runs that may do anything: the text of the command must not speak of a protected path. */
  | { readonly kind: 'runs-code'; readonly own: readonly string[]; readonly reads: 'own' | 'anything' }
  /** A command of ours that a person has to give. */
  | { readonly kind: 'ours'; readonly command: 'init' | 'trust' }
  /** Nobody knows: whatever is named may be written. */
  | { readonly kind: 'unknown'; readonly words: readonly string[] }

// biome-ignore format: a list of words reads better as a paragraph
/** They write nothing, whatever is named. */
export const readers: ReadonlySet<string> = new Set([
  '[', '[[', ':', 'ack', 'ag', 'alias', 'basename', 'bat', 'batcat', 'cat', 'cd', 'cksum', 'cloc', 'cmp', 'column', 'comm', 'command', 'cut', 'date', 'declare', 'df', 'diff', 'diff3', 'dirname',
  'du', 'echo', 'egrep', 'env', 'exa', 'expand', 'export', 'expr', 'eza', 'false', 'fgrep', 'file', 'fmt', 'fold', 'getfacl', 'grep', 'hd', 'head', 'hexdump', 'id', 'jless', 'join', 'jq', 'less', 'let', 'local',
  'ls', 'lsattr', 'lsd', 'lsof', 'mapfile', 'md5', 'md5sum', 'more', 'nl', 'od', 'paste', 'popd', 'printenv', 'printf', 'ps', 'pushd', 'pwd', 'read', 'readarray', 'readlink', 'readonly', 'realpath', 'rev', 'rg',
  'scc', 'seq', 'sha1sum', 'sha256sum', 'sha512sum', 'shasum', 'shellcheck', 'sleep', 'stat', 'strings', 'sum', 'tac', 'tail', 'test', 'time', 'timeout', 'tokei', 'tr', 'tree', 'true', 'type', 'typeset', 'ugrep', 'unexpand',
  'unset', 'wait', 'wc', 'which', 'whereis', 'xargs', 'zcat', 'zgrep',
])
// biome-ignore format: as above
/** What git does without writing outside of its own store. */
export const gitReaders: ReadonlySet<string> = new Set([
  'add', 'annotate', 'blame', 'branch', 'cat-file', 'check-attr', 'check-ignore', 'commit', 'describe', 'diff', 'fetch', 'grep', 'help', 'log', 'ls-files', 'ls-tree', 'push', 'range-diff', 'remote', 'rev-list', 'rev-parse',
  'shortlog', 'show', 'show-ref', 'status', 'tag', 'version', 'whatchanged',
])
const removers = new Set(['rm', 'rmdir', 'unlink', 'shred', 'trash', 'trash-put', 'gio', 'srm'])
// biome-ignore format: as above
const writers = new Set(['bunzip2', 'bzip2', 'chattr', 'chgrp', 'chmod', 'chown', 'ed', 'ex', 'gunzip', 'gzip', 'nano', 'nvim', 'setfacl', 'sponge', 'tee', 'touch', 'truncate', 'unxz', 'unzstd', 'vi', 'vim', 'xz', 'zstd'])
const placers = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp', 'ditto', 'link', 'rename'])
const runsOnly = new Set(['source', '.', 'exec', 'eval', 'nohup', 'nice', 'setsid', 'stdbuf', 'sudo', 'doas', 'builtin', 'trap'])

// They run the script that they are given; editors and databases are not among them, because they open it.
const scriptRunners = /^(?:python|pypy|perl|ruby|node|nodejs|bun|deno|php|lua|luajit|tclsh|wish|expect|osascript|julia|Rscript|zx|tsx|ts-node)[\d.]*$/

const notOption = (word: string) => !word.startsWith('-') || word === '-'
const flags = (args: readonly string[]) => args.filter((word) => /^-[A-Za-z]/.test(word)).join('')

/** What a command does to the files it names. `words` begin with the program's plain name. */
export function touchOf([name = '', ...args]: readonly string[]): Touch {
  if (name === 'git') return touchOfGit(args)
  if (name === 'hookline') return touchOfHookline(args)
  if (name === 'sed' || name === 'gsed') return touchOfSed(args)
  if (name === 'awk' || name === 'gawk' || name === 'mawk') return touchOfAwk(args)
  if (name === 'find') return touchOfFind(args)
  if (name === 'sort') return args.some((word) => /^-o|^--output/.test(word)) ? { kind: 'writes', words: args } : { kind: 'reads' }
  if (name === 'uniq') return { kind: 'writes', words: args.filter(notOption).slice(1) }
  if (name === 'yq') return args.some((word) => /^-[a-z]*i|^--inplace/.test(word)) ? { kind: 'writes', words: args } : { kind: 'reads' }
  if (name === 'xxd') return /r/.test(flags(args)) ? { kind: 'writes', words: args } : { kind: 'writes', words: args.filter(notOption).slice(1) }
  if (name === 'tar' || name === 'bsdtar') return touchOfTar(args)
  if (name === 'dd') return { kind: 'writes', words: args.filter((word) => word.startsWith('of=')) }
  if (readers.has(name) || runsOnly.has(name)) return { kind: 'reads' }
  if (removers.has(name)) return { kind: 'removes', words: args.filter(notOption) }
  if (writers.has(name)) return { kind: 'writes', words: args }
  if (placers.has(name)) return touchOfPlacer(name, args)
  if (isShell(name)) return { kind: 'reads' }
  if (scriptRunners.test(name)) return touchOfInterpreter(name, args)
  return { kind: 'unknown', words: args }
}

function touchOfPlacer(name: string, args: readonly string[]): Touch {
  const at = args.findIndex((word) => /^(?:-t|--target-directory)$/.test(word))
  const joined = args.find((word) => /^--target-directory=|^-t./.test(word))?.replace(/^--target-directory=|^-t/, '')
  const target = at >= 0 ? args[at + 1] : joined
  const plain = args.filter((word, i) => notOption(word) && !(at >= 0 && i === at + 1))
  const links = name === 'ln' || name === 'link' || args.some((word) => /^-[A-Za-z]*[ls]|^--(?:link|symbolic)/.test(word) && name === 'cp')
  const deep = name !== 'mv' && name !== 'ln' && (/[rRa]/.test(flags(args)) || args.some((word) => /^--(?:recursive|archive)$/.test(word)) || name === 'ditto')
  const to = target ?? (name === 'ln' && plain.length === 1 ? (plain[0] as string).replace(/^.*\//, '') : plain.at(-1))
  return {
    kind: 'places',
    from: target === undefined && !(name === 'ln' && plain.length === 1) ? plain.slice(0, -1) : plain,
    to,
    moves: name === 'mv' || name === 'rename',
    links,
    deep,
  }
}

function touchOfGit(args: readonly string[]): Touch {
  const [sub = '', ...rest] = args
  const output = rest.filter((word) => /^--output(?:=|-directory)|^-o/.test(word))
  if (gitReaders.has(sub)) return output.length === 0 ? { kind: 'reads' } : { kind: 'writes', words: rest }
  if (sub === 'config') return touchOfGitConfig(rest)
  if (sub === 'clean') return touchOfGitClean(rest)
  if (sub === 'rm') return { kind: 'removes', words: rest.filter(notOption) }
  if (sub === 'mv') return touchOfPlacer('mv', rest)
  if (sub === 'checkout' || sub === 'restore' || sub === 'reset' || sub === 'stash') return { kind: 'writes', words: rest }
  return { kind: 'unknown', words: rest }
}

/** Without paths, and with what is ignored, everything goes that was never committed: local settings among it. */
function touchOfGitClean(args: readonly string[]): Touch {
  const spares = args.some((word) => /^-[a-z]*e|^--exclude/.test(word))
  const words = args.filter((word, at) => notOption(word) && !/^(?:-[a-z]*e|--exclude)$/.test(args[at - 1] ?? ''))
  return { kind: 'removes', words: words.length === 0 && !spares && /[xX]/.test(flags(args)) ? ['.'] : words }
}

// Settings that make git run programs by itself.
const running = /^(?:core\.(?:hookspath|fsmonitor)|init\.templatedir|include\.path|includeif\..*\.path)$/i

function touchOfGitConfig(args: readonly string[]): Touch {
  const files = args.flatMap((word, at) => (/^(?:-f|--file)$/.test(args[at - 1] ?? '') ? [word] : (/^(?:--file=|-f)(.+)$/.exec(word)?.[1] ?? [])))
  if (setsGit(args)) return { kind: 'writes', words: ['.git/config', ...files] }
  const values = args.filter((word) => notOption(word) && !files.includes(word) && word !== 'set')
  const reads = args.some((word) => /^(?:--get.*|--list|-l|get|list)$/.test(word))
  return files.length > 0 && !reads && (values.length > 1 || args.some((word) => /^--?(?:unset|add|replace|remove|rename)/.test(word)))
    ? { kind: 'writes', words: files }
    : { kind: 'reads' }
}

/** `git config` that sets, or unsets, where hooks come from. Reading it is reading. */
function setsGit(args: readonly string[]): boolean {
  const words = args.filter(notOption)
  const at = words.findIndex((word) => running.test(word))
  if (at < 0) return args.some((word) => /^(?:-e|--edit|edit)$/.test(word))
  if (args.some((word) => /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l)$/.test(word)) || words[0] === 'get' || words[0] === 'list') return false
  return words.length > at + 1 || args.some((word) => /^(?:--unset(?:-all)?|--replace-all|--add)$/.test(word)) || words[0] === 'unset' || words[0] === 'set'
}

/** Our own command: what it reads is no change, what answers for a folder is a person's to do. */
function touchOfHookline(args: readonly string[]): Touch {
  const [sub, verb] = args.filter(notOption)
  if (sub === 'init') return { kind: 'ours', command: 'init' }
  const reads = sub !== 'trust' || verb === 'status' || verb === 'show' || args.some((word) => /^(?:--help|-h)$/.test(word))
  return reads ? { kind: 'reads' } : { kind: 'ours', command: 'trust' }
}

function touchOfSed(args: readonly string[]): Touch {
  if (args.some((word) => /^-[A-Za-z]*i|^--in-place/.test(word))) return { kind: 'writes', words: args }
  const files = args.flatMap((word) => [...word.matchAll(/(?:^|[;{}\s\d$/gpIe])w\s+(\S+)/g)].map((found) => found[1] as string))
  return { kind: 'writes', words: files }
}

function touchOfAwk(args: readonly string[]): Touch {
  if (args.some((word, at) => word === 'inplace' || (word.startsWith('-i') && args[at + 1] === 'inplace'))) return { kind: 'writes', words: args }
  const code = args.find(notOption) ?? ''
  return /[>|]|system|getline/.test(code) ? { kind: 'runs-code', own: args, reads: 'own' } : { kind: 'reads' }
}

/** A search that deletes or runs something: what it starts from, and the names it looks for. */
function touchOfFind(args: readonly string[]): Touch {
  if (!args.some((word) => /^-(?:delete|exec(?:dir)?|ok(?:dir)?|fprint0?|fprintf|fls)$/.test(word))) return { kind: 'reads' }
  const first = args.findIndex((word) => /^[-(!]/.test(word))
  const roots = args.slice(0, first < 0 ? undefined : first)
  const after = (options: RegExp) => args.filter((_, at) => options.test(args[at - 1] ?? ''))
  const files = after(/^-(?:fprint0?|fprintf|fls)$/)
  if (files.length > 0) return { kind: 'writes', words: files }
  // With no test but these, all that is found is all that there is.
  const tests = args.filter((word) => /^[-(!]/.test(word) && !/^-(?:delete|depth|mindepth|maxdepth|type|print0?|xdev|mount|f)$/.test(word))
  const all = args.includes('-delete') && tests.length === 0
  return { kind: 'searches', roots: roots.length === 0 ? ['.'] : roots, names: after(/^-(?:i?name|i?path|i?wholename|i?regex)$/), all }
}

function touchOfTar(args: readonly string[]): Touch {
  const mode = args[0] ?? ''
  const extracts = /^-?[A-Za-z]*x/.test(mode) || args.some((word) => /^(?:--extract|--get|-x)$/.test(word))
  if (extracts)
    return { kind: 'places', from: args.filter((word) => notOption(word) && word !== mode), to: folderAfter(args), moves: false, links: false, deep: false }
  const at = args.findIndex((word) => /^-?[A-Za-z]*f$/.test(word))
  return { kind: 'writes', words: args.filter((word, i) => i === at + 1 || word.startsWith('--file=')) }
}

function folderAfter(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === '-C' || word === '--directory')
  return at >= 0 ? args[at + 1] : args.find((word) => word.startsWith('--directory='))?.slice('--directory='.length)
}

function touchOfInterpreter(name: string, args: readonly string[]): Touch {
  const inPlace = (name === 'perl' || name === 'ruby') && args.some((word) => /^-[a-zA-Z]*i/.test(word))
  if (inPlace) return { kind: 'unknown', words: args }
  const tool = args.indexOf('json.tool')
  if (tool >= 0)
    return {
      kind: 'writes',
      words: args
        .slice(tool + 1)
        .filter(notOption)
        .slice(1),
    }
  const coded = args.some((word) => /^-(?:[a-zA-Z]*[ceErpn]|-eval|-print|-execute)$/.test(word)) || args[0] === 'eval'
  const script = args.find((word) => notOption(word) && word !== 'run')
  if (coded) return { kind: 'runs-code', own: args, reads: 'own' }
  if (script === undefined || script === '-') return { kind: 'runs-code', own: args, reads: 'anything' }
  // The script itself is run, not written.
  return { kind: 'unknown', words: args.filter((word) => word !== script) }
}
