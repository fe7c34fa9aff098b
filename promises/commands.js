/** Generates shell commands that start git, rm or curl in roundabout ways, and others that only look like it. */

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`
const hex = (text) => [...text].map((one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** Ways to write one word. Some need a variable or a file, which the frame of the command brings. */
const spellings = [
  (w) => `'${w}'`,
  (w) => `"${w}"`,
  (w) => `${w.slice(0, 1)}"${w.slice(1)}"`,
  (w) => `${w.slice(0, 2)}''${w.slice(2)}`,
  (w) => `\\${w}`,
  (w) => [...w].map((one) => `\\${one}`).join(''),
  (w) => `$'${hex(w)}'`,
  (w) => `$'${w}'`,
  (w) => `${w.slice(0, 1)}\\\n${w.slice(1)}`,
  (w) => `\${unset_name:-${w}}`,
  (w) => `\${unset_name-"${w}"}`,
  (w) => `\${HOME:+${w}}`,
  (w) => `$(echo ${w})`,
  (w) => `"$(printf %s ${w})"`,
  (w) => `\`echo ${w}\``,
  (w) => `{${w},}`,
  (w) => `${w}\${unset_name}`,
  (w) => `${w}$@`,
  (w) => `${w.slice(0, 1)}$*${w.slice(1)}`,
  (w) => `$(echo ${[...w].reverse().join('')} | rev)`,
  (w) => `$(<<<${w} cat)`,
]

const programs = {
  git: [
    'push',
    'push origin',
    'push -f origin main',
    '-C . push',
    '-c a.b=c push origin',
    '--no-pager push',
    '--git-dir=.git push',
    '-P -C . push x',
    'status',
    'status -s',
    'log -1',
    'commit -m push',
    'fetch',
    '--no-pager status',
  ],
  rm: ['-rf build', '-r -f build', 'f', '-rf -- build', '-f f', '-v f'],
  curl: ['http://127.0.0.1:9/x', '-s http://127.0.0.1:9/', '-o out http://127.0.0.1:9/', '--head http://127.0.0.1:9/'],
}
const harmless = [
  'true',
  'echo x',
  'ls',
  'ls -la',
  'cat f',
  'echo git push',
  "echo 'rm -rf build'",
  'printf "curl x"',
  'grep -c push f',
  'pwd',
  'test -f f',
  'git status',
  'git status -s',
  'git log -1',
  'wc -l f',
  ': rm -rf build',
  'date +%s',
]

/** Shell texts around a command. */
const frames = [
  (c) => `( ${c} )`,
  (c) => `{ ${c}; }`,
  (c) => `true && ${c}`,
  (c) => `false || ${c}`,
  (c) => `${c} && true`,
  (c) => `${c}; true`,
  (c) => `ls | ${c}`,
  (c) => `${c} | cat`,
  (c) => `${c} |& cat`,
  (c) => `${c} & wait`,
  (c) => `! ${c}`,
  (c) => `time ${c}`,
  (c) => `time -p ${c}`,
  (c) => `echo $( ${c} )`,
  (c) => `echo "\`${c.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('"', '\\"')}\`"`,
  (c) => `x=$( ${c} )`,
  (c) => `x="$( ${c} )" true`,
  (c) => `export y="$( ${c} )"`,
  (c) => `local_x() { ${c}; }; local_x`,
  (c) => `function walk { ${c}; }\nwalk`,
  (c) => `f() ( ${c} ); f`,
  (c) => `ls() { ${c}; }; ls`,
  (c) => `if ${c}; then :; fi`,
  (c) => `if true; then ${c}; else :; fi`,
  (c) => `if false; then :; elif ${c}; then :; fi`,
  (c) => `while ${c}; do break; done`,
  (c) => `until ! ${c}; do break; done`,
  (c) => `for i in 1; do ${c}; done`,
  (c) => `for i in $( ${c} ); do :; done`,
  (c) => `for ((i=0;i<1;i++)); do ${c}; done`,
  (c) => `case x in x) ${c};; esac`,
  (c) => `case $( ${c} ) in *) ;; esac`,
  (c) => `cat <( ${c} )`,
  (c) => `echo x > >( ${c}; cat ) ; wait`,
  (c) => `[[ -n $( ${c} ) ]]`,
  (c) => `[ -n "$( ${c} )" ]`,
  (c) => `(( 0 + 0$( ${c} >&2 ) ))`,
  (c) => `echo $(( 1 + 0$( ${c} >&2 ) ))`,
  (c) => `echo \${unset_name:-$( ${c} )}`,
  (c) => `: \${made:=$( ${c} )}`,
  (c) => `a=( $( ${c} ) )`,
  (c) => `arr[$( ${c} >&2 )0]=1`,
  (c) => `cat <<EOF\n$( ${c} )\nEOF`,
  (c) => `cat <<-EOF\n\t\`${c.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\`\n\tEOF`,
  (c) => `cat <<<"$( ${c} )"`,
  (c) => `true # ${'x'.repeat(3)}\n${c}`,
  (c) => `true\n\n${c}\n`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `trap ${quoted(c)} DEBUG; true`,
  (c) => `trap ${quoted(c)} ERR; false`,
  (c) => `coproc { ${c}; }; wait`,
  (c) => `{ ${c}; } 2>&1`,
  (c) => `( ${c} ) >/dev/null`,
  (c) => `eval ${quoted(c)}`,
  (c) => `eval "eval ${quoted(c).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '\\$').replaceAll('`', '\\`')}"`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `sh -c ${quoted(c)}`,
  (c) => `bash -ec ${quoted(c)}`,
  (c) => `bash --norc -c ${quoted(c)}`,
  (c) => `env bash -c ${quoted(c)} name`,
  (c) => `bash <<'XX'\n${c}\nXX`,
  (c) => `sh -s <<'XX'\n${c}\nXX`,
  (c) => `bash <<<${quoted(c)}`,
  (c) => `echo ${quoted(c)} | bash`,
  (c) => `printf '%s\\n' ${quoted(c)} | sh`,
  (c) => `cat <<'XX' | bash\n${c}\nXX`,
  (c) => `echo ${Buffer.from(c).toString('base64')} | base64 -d | bash`,
  (c) => `. <(echo ${quoted(c)})`,
  (c) => `source /dev/stdin <<'XX'\n${c}\nXX`,
  (c) => `bash <(echo ${quoted(c)})`,
  (c) => `echo ${quoted(c)} > s.sh; . ./s.sh`,
  (c) => `echo ${quoted(c)} > s.sh && bash s.sh`,
  (c) => `printf %s ${quoted(c)} | tee s.sh; chmod +x s.sh; ./s.sh`,
  (c) => `shopt -s expand_aliases; alias zz=${quoted(c)}\nzz`,
  (c) => `shopt -s expand_aliases\nalias ls=${quoted(c)}\nls`,
  (c) => `v=${quoted(c)}; eval "$v"`,
  (c) => `v=${quoted(c)}; bash -c "$v"`,
  (c) => `read -r v <<<${quoted(c.replaceAll('\n', ' '))}; eval "$v"`,
  (c) => `printf -v v %s ${quoted(c)}; eval "$v"`,
  (c) => `find . -maxdepth 0 -exec sh -c ${quoted(c)} \\;`,
  (c) => `echo 1 | xargs -I% bash -c ${quoted(c)}`,
  (c) => `seq 1 | while read -r n; do ${c}; done`,
  (c) => `awk ${quoted(`BEGIN{system(${JSON.stringify(c.replaceAll('\n', ' '))})}`)}`,
  (c) => `perl -e ${quoted(`system(q{${c}})`)}`,
  (c) => `env -S ${quoted('bash -c')} ${quoted(c)}`,
  (c) => `PROMPT_COMMAND=${quoted(c)}; eval "$PROMPT_COMMAND"`,
  (c) => `PS4='$( ${c.replaceAll("'", "'\\''")} >&2 )'; set -x; true`,
  (c) => `x='$( ${c.replaceAll("'", "'\\''")} )'; echo "\${x@P}"`,
  (c) => `x=${quoted(`a[$( ${c} >&2 )0]`)}; echo $((x))`,
  (c) => `x=${quoted(`a[$( ${c} >&2 )0]`)}; [[ $x -eq 0 ]]`,
  (c) => `x=${quoted(`a[$( ${c} >&2 )0]`)}; (( x ))`,
  (c) => `x=${quoted(`a[$( ${c} >&2 )0]`)}; y=text; echo "\${y:x}"`,
  (c) => `x=${quoted(`a[$( ${c} >&2 )0]`)}; declare -i z=x`,
  (c) => `declare x=${quoted(`a[$( ${c} >&2 )0]`)}; let x`,
  (c) => `exec 3< <( ${c} ); cat <&3`,
  (c) => `( exec bash -c ${quoted(c)} )`,
  (c) => `mapfile -C ${quoted(`${c} #`)} -c 1 lines <f`,
  (c) => `set -- ${quoted(c)}; eval "$1"`,
  (c) => `declare z=$( ${c} )`,
  (c) => `readonly z="$( ${c} )"`,
  (c) => `select_one() { eval "$*"; }; select_one ${quoted(c)}`,
]

/** Programs that run the words behind them. */
const wrappers = [
  'env',
  'env A=1',
  'env -u A',
  'env -i PATH="$PATH"',
  'nohup',
  'timeout 5',
  'timeout -k 1 5',
  'timeout --signal=KILL 5',
  'nice',
  'nice -n 5',
  'nice -5',
  'stdbuf -oL',
  'setsid -w',
  'command',
  'command -p',
  'exec',
  'exec -a name',
  'time',
  'xargs',
  'xargs -n1',
  'xargs -r --',
  'flock lock',
  'ionice -c 3',
  'chrt -o 0',
  'taskset 1',
  'setarch -R',
  'prlimit --nofile=64',
  'A=1',
  'A=1 B="x y"',
  '2>/dev/null',
  '>/dev/null',
  '</dev/null',
  'find . -maxdepth 0 -exec',
  'builtin command',
  'script -qc',
  'unshare',
  'nohup nice -n 1 timeout 5',
]

/** Words that only a few programs need behind them. */
const tails = { 'find . -maxdepth 0 -exec': ' \\;' }

function spell(random, word) {
  return random.chance(0.6) ? word : random.pick(spellings)(word)
}

/** One program call, with its words in some spelling. */
function base(random) {
  const program = random.pick(Object.keys(programs))
  const words = random.pick(programs[program]).split(' ')
  const name = random.chance(0.08)
    ? random.pick([`../../bin/${program}`, `/usr/bin/${program}`, `"$PWD"/../../bin/${program}`, `../../bin/${program.slice(0, -1)}?`, `~/bin/${program}`])
    : spell(random, program)
  const rest = words.map((word) => (/^[a-z]+$/.test(word) ? spell(random, word) : random.chance(0.15) ? `"${word}"` : word))
  return [name, ...rest].join(' ')
}

function byVariable(random, command) {
  const words = command.split(' ')
  if (!/^[a-z]+$/.test(words[0])) return command
  return random.pick([
    () => `p=${words[0]}; $p ${words.slice(1).join(' ')}`,
    () => `p=${words[0]}\n"\${p}" ${words.slice(1).join(' ')}`,
    () => `a=(${words.join(' ')}); "\${a[@]}"`,
    () => `set -- ${words.join(' ')}; "$@"`,
    () => `p='${words.join(' ').replaceAll("'", '')}'; $p`,
    () => `p=x${words[0]}; \${p#x} ${words.slice(1).join(' ')}`,
    () => `q=${words[0]}; p=q; \${!p} ${words.slice(1).join(' ')}`,
    () => `IFS=,; p=${words.join(',').replaceAll(/[^a-z0-9,.:/-]/gi, '')}; $p`,
  ])()
}

/** Wraps a command once. */
export function wrapOnce(random, command) {
  if (random.chance(0.3) && !/^(?:[({!]|(?:mapfile|declare|readonly|export|eval|trap|source|[.]) )|time |[\n;|&]/.test(command)) {
    // A program that is handed `A=1` looks for a program of that name.
    const wrapper = random.pick(/^(?:\d?[<>]\S* )*[A-Za-z_]+=/.test(command) ? ['env', 'env -u A'] : wrappers)
    if (wrapper === 'script -qc') return `script -qc ${quoted(command)} /dev/null`
    return `${wrapper} ${command}${tails[wrapper] ?? ''}`
  }
  return random.pick(frames)(command)
}

/** One whole command. */
export function generateCommand(random) {
  let command = random.chance(0.12) ? random.pick(harmless) : base(random)
  if (random.chance(0.12)) command = byVariable(random, command)
  for (let layers = random.pick([0, 0, 1, 1, 1, 2, 2, 3, 4]); layers > 0; layers--) command = wrapOnce(random, command)
  if (random.chance(0.2)) command = `${random.pick(harmless)}${random.pick([' && ', ' || ', '; ', ' | ', '\n'])}${command}`
  if (random.chance(0.1)) command = `${command}${random.pick([' && ', '; ', ' | ', '\n'])}${random.pick(harmless)}`
  return command
}
