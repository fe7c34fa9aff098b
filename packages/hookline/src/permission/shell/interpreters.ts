/** Programs that run code from their arguments or their input, and whether that code could start another program. */
import type { Reader, Spot } from './reader.ts'
import type { ShellWord } from './word.ts'

interface Interpreter {
  /** Options whose value is code. */
  readonly code: readonly string[]
  /** The first word that is no option is code too. */
  readonly first?: true
  /** Reads code from its input when it is given neither code nor a file. */
  readonly stdin?: true
  /** The code could start a program, or cannot be followed. */
  readonly suspicious: RegExp
  /** Every import must be one of these. */
  readonly imports?: ReadonlySet<string>
}

const starts =
  /system|exec|spawn|popen|fork|subprocess|\bpty\b|\bpexpect\b|shell|`|%x|\bqx\b|\beval\b|\bcompile\b|__|getattr|globals|locals|\bvars\b|modules|import_module|\b_?os\b|commands|\bload|dlopen|ctypes|ffi|child_process|process\.|require|import\s*\(|constructor|Function|\bopen\b|\bdo\b\s*["']|\|\s*["']|["']\s*\||Kernel|IO\./
const python =
  /\beval\b|\bexec\b|\bcompile\b|getattr|setattr|globals|locals|\bvars\b|__|modules|breakpoint|\b_?os\b|_sys|system|popen|spawn|subprocess|\binput\b|builtins/
const harmlessPython = new Set([
  'argparse',
  'base64',
  'bisect',
  'collections',
  'copy',
  'csv',
  'datetime',
  'decimal',
  'difflib',
  'fractions',
  'functools',
  'hashlib',
  'heapq',
  'itertools',
  'json',
  'math',
  'operator',
  'pprint',
  're',
  'statistics',
  'string',
  'sys',
  'textwrap',
  'time',
  'tomllib',
  'typing',
  'unicodedata',
  'uuid',
  'zlib',
])

const interpreters: Readonly<Record<string, Interpreter>> = {
  python: { code: ['-c'], stdin: true, suspicious: python, imports: harmlessPython },
  perl: { code: ['-e', '-E'], stdin: true, suspicious: starts },
  ruby: { code: ['-e'], stdin: true, suspicious: starts },
  node: { code: ['-e', '-p', '-pe', '--eval', '--print'], stdin: true, suspicious: starts },
  bun: { code: ['-e', '--eval'], suspicious: starts },
  deno: { code: ['eval'], suspicious: starts },
  php: { code: ['-r', '-B', '-R', '-E'], stdin: true, suspicious: starts },
  lua: { code: ['-e'], stdin: true, suspicious: starts },
  tclsh: { code: [], stdin: true, suspicious: /./ },
  expect: { code: ['-c'], stdin: true, suspicious: /./ },
  osascript: { code: ['-e'], stdin: true, suspicious: /./ },
  julia: { code: ['-e', '-E', '--eval'], suspicious: starts },
  Rscript: { code: ['-e'], suspicious: starts },
  awk: { code: ['-e', '--source'], first: true, suspicious: /system|getline|\||@|print[^;}]*>/ },
  sed: {
    code: ['-e', '--expression'],
    first: true,
    suspicious: /(?:^|[\d$/,;{}\s!])e(?:\s|$|;)|s([^\w\s])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiImM\d]*e/,
  },
  vim: { code: ['-c', '--cmd', '-S'], suspicious: /!|system|term|job|exe|call|py|lua|ruby|perl|source|normal|\bso\b/ },
  ed: { code: [], stdin: true, suspicious: /!/ },
  emacs: { code: ['--eval', '-eval', '--execute', '-f', '--funcall'], suspicious: /./ },
  gdb: { code: ['-ex', '-eval-command', '--eval-command', '-iex'], stdin: true, suspicious: /!|shell|python|pipe|make/ },
  sqlite3: { code: ['-cmd'], stdin: true, suspicious: /\.(?:sh|sy|o|load|exc|once|import)/ },
  psql: { code: ['-c', '--command'], stdin: true, suspicious: /\\!|\\o|\\g|program/i },
  mysql: { code: ['-e', '--execute'], stdin: true, suspicious: /\\!|\bsystem\b/i },
  make: { code: ['--eval'], suspicious: /./ },
  zx: { code: [], stdin: true, suspicious: /./ },
}
const alike: Readonly<Record<string, string>> = {
  python2: 'python',
  python3: 'python',
  pypy: 'python',
  pypy3: 'python',
  nodejs: 'node',
  gawk: 'awk',
  mawk: 'awk',
  nawk: 'awk',
  gsed: 'sed',
  vi: 'vim',
  nvim: 'vim',
  ex: 'vim',
  view: 'vim',
  luajit: 'lua',
  wish: 'tclsh',
  gmake: 'make',
  mariadb: 'mysql',
  R: 'Rscript',
  red: 'ed',
}

function interpreterOf(name: string): Interpreter | undefined {
  const plain = /^(?:python|perl|ruby|php|lua)[\d.]*$/.exec(name) ? name.replace(/[\d.]+$/, '') : name
  const known = Object.hasOwn(alike, name) ? (alike[name] as string) : plain
  return Object.hasOwn(interpreters, known) ? interpreters[known] : undefined
}

/** The program runs code that it is given. */
export function isInterpreter(name: string): boolean {
  return interpreterOf(name) !== undefined
}

/** Looks at the code that a program is given, when the program is an interpreter. */
export function readInterpreter(reader: Reader, words: readonly ShellWord[], spot: Spot): void {
  const [program, ...args] = words
  const name = program?.text.slice(program.text.lastIndexOf('/') + 1) ?? ''
  const it = interpreterOf(name)
  if (it === undefined) return
  const codes: ShellWord[] = []
  let file: ShellWord | undefined
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as ShellWord
    const option = it.code.find(
      (o) =>
        word.text === o || (o.length === 2 && word.text.startsWith(o)) || (o.startsWith('--') && word.text.startsWith(`${o}=`)) || endsCluster(word.text, o),
    )
    if (option !== undefined) {
      const attached = word.text === option || endsCluster(word.text, option) ? undefined : word.text.slice(option.length).replace(/^=/, '')
      const code = attached === undefined ? args[++i] : { ...word, text: attached }
      if (code) codes.push(code)
    } else if (word.text.startsWith('+')) codes.push(word)
    else if (!word.text.startsWith('-') && file === undefined) file = word
  }
  if (it.first && codes.length === 0 && file !== undefined && !args.some((w) => /^(?:-f|--file)/.test(w.text))) codes.push(file)
  else if (file !== undefined) reader.runsFile(file)
  for (const code of codes) judge(reader, { ...it, name }, code.literal ? code.text : undefined)
  const module = args.some((w) => w.text === '-m')
  if (it.stdin && codes.length === 0 && !module && (file === undefined || file.text === '-') && spot.stdin !== undefined)
    judge(reader, { ...it, name }, spot.stdin.text)
}

function endsCluster(text: string, option: string): boolean {
  return option.length === 2 && /^-[A-Za-z]+$/.test(text) && text.length > 2 && text.endsWith(option.slice(1))
}

function judge(reader: Reader, it: Interpreter & { readonly name: string }, code: string | undefined): void {
  const { name } = it
  if (code === undefined) return reader.doubt(`${name} runs code that is only known when it runs`)
  const strange =
    it.suspicious.test(code) ||
    (it.imports !== undefined &&
      [...code.matchAll(/\b(?:import|from)\s+([\w., ]+)/g)].some((m) => importsOf(m[1] ?? '').some((module) => !it.imports?.has(module))))
  if (strange) reader.doubt(`${name} runs code that could start another program`)
}

function importsOf(list: string): string[] {
  return list
    .replace(/\s+import\s.*/, '')
    .split(',')
    .map((m) => m.trim().split(/[\s.]/)[0] ?? '')
    .filter((m) => m !== '')
}
