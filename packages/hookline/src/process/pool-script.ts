/** The shell text of the pool: what its processes do, and how one run is written down for them. */
import type { Environment } from './environment.ts'
import { addMark, markName } from './mark.ts'

/** The descriptors a shell can name with one digit, beside the three that every program has: one channel each. */
export const channels = [3, 4, 5, 6, 7, 8, 9] as const

/** Where the tools are that a pool is started with. Hooks never see this. */
export const toolPath = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** How the names begin that a worker needs for itself. */
export const ownPrefix = '_hookline_'

/** The names a shell can export. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Runs each line it is sent. Standard input, output and error are one socket: it is nowhere in the file system, and /proc opens no sockets,
 * so that no hook can write to it, neither a status nor a line. A line is read byte by byte, so what all lines have in common is a function:
 * number, command, input file, marks, more to do in the folder.
 * The command stands on the first line of its shell, as it would by itself. Until that line begins, the shell's stderr is the worker's: that
 * way the worker's own word on how the shell died stays apart from what the hook wrote.
 * Each pipe is first opened for both directions, which never waits: a host that died meanwhile would be waited for without end.
 * The signals that a hook can send to its whole group are caught, not ignored: what is ignored, hooks would inherit.
 * Bash says how a child died only outside of its POSIX mode. With `$2` the worker first shows what the shell says when a child is killed.
 * `$1` is where its pipes are, `$3` a line end.
 */
const worker = `exec 2>&1 ${channels.map((channel) => `${channel}>&-`).join(' ')}
[ -z "\${BASH_VERSION-}" ] || set +o posix
trap : 1 2 3 10 12 13 14 15
unset PATH PWD OLDPWD SHLVL
_hookline_o=$1.o _hookline_e=$1.e _hookline_f=\${1%/*} _hookline_n=$3
r() {
[ -p "$_hookline_o" ] && [ -p "$_hookline_e" ] && cd -P "$_hookline_d" && {
unset OLDPWD
export PWD="$_hookline_d" ${markName}="$4"
eval "$5"
/bin/sh -c "echo \\$\\$>&9;exec 2>&9 9>&-; $2" <"$_hookline_f/$3" 7<>"$_hookline_o" >"$_hookline_o" 7>&- 8<>"$_hookline_e" 9>"$_hookline_e" 8>&-
}
echo "$1 $?" || exit
cd /
}
cd /
[ -z "$2" ] || /bin/sh -c 'kill -9 $$'
echo "ready $$"
while IFS= read -r _hookline_l; do eval "$_hookline_l"; done`

/**
 * Makes the pipes of all its workers, by one program for all, then starts a worker for each line "channel check", in a session of its own.
 * \`setsid\` run by the leader of a group leaves by itself, so that nothing is a background job: a shell makes those ignore SIGINT.
 * A last line "end" means that all is in order; an input that merely ends means that the host is gone, and its folder \`$2\` goes as well.
 */
const nursery = `cd /
mkfifo -m 600 ${channels.map((channel) => `"$2/$4-${channel}.o" "$2/$4-${channel}.e"`).join(' ')} || exit
while IFS=' ' read -r c k; do
[ "$c" != end ] || exit
eval "{ setsid -f /bin/sh -c \\"\\$1\\" hookline-pool \\"\\$2/\\$4-$c\\" \\"\\$k\\" \\"\\$3\\" || setsid setsid /bin/sh -c \\"\\$1\\" hookline-pool \\"\\$2/\\$4-$c\\" \\"\\$k\\" \\"\\$3\\"; } <&$c >&$c
exec $c>&-"
done
[ ! -d "$2" ] || rm -rf -- "$2"`

/** The arguments of the shell that starts workers; the pipes of each are called by the name of all and by its channel. */
export function nurseryArguments(folder: string, name: string): string[] {
  return ['-c', nursery, 'hookline-pool', worker, folder, '\n', name]
}

/** One run. */
export interface RunScript {
  readonly command: string
  readonly cwd: string
  /** The file the command reads, by its name in the folder of the pool. */
  readonly input: string
  readonly env: Environment
  /** The run's mark, which joins those in the environment. */
  readonly mark: string
}

/** The line that a hook's shell writes to stderr before all else: its process id. Without it, nothing of the command was run. */
export const beginning = /^(\d+)\n/

/** What a worker has exported. */
export interface Exported {
  readonly variables: Map<string, string>
  /** All of it, when it came from an environment that never changes. */
  whole?: Environment | undefined
  /** The folder it was last told to go to. */
  folder?: string
}

/** Writes down a run as one line, for a worker that has exported `exported`, which is brought up to date. The worker answers with `id` and the status. */
export function writeRun({ command, cwd, input, env, mark }: RunScript, { id, exported }: { id: number; exported: Exported }): string {
  const marks = addMark(env[markName], mark)
  const folder = exported.folder === cwd ? '' : `_hookline_d=${quote(cwd)};`
  exported.folder = cwd
  return `${exportAll(env, exported)}${folder}r ${id} ${quote(command)} ${input} ${quote(marks)}${afterFolder(env, cwd)}\n`
}

function exportAll(env: Environment, exported: Exported): string {
  if (exported.whole === env) return ''
  exported.whole = Object.isFrozen(env) ? env : undefined
  return exportChanges(env, exported.variables)
}

// Set by each run, and by going to its folder.
const perRun = new Set([markName, 'PWD', 'OLDPWD'])

/** What the worker must export anew, and no longer. */
function exportChanges(env: Environment, exported: Map<string, string>): string {
  let set = ''
  let count = 0
  for (const name of Object.keys(env)) {
    if (perRun.has(name) || !variableName.test(name)) continue
    count++
    const value = env[name] as string
    if (exported.get(name) === value) continue
    exported.set(name, value)
    set += ` ${name}=${quote(value)}`
  }
  const unset = exported.size > count ? unsetMissing(env, exported) : ''
  if (set === '') return unset
  // Bash warns of a locale that is not there. The hook's own shell will, where it should be seen.
  const quiet = / (?:LC_\w+|LANG)=/.test(set) ? ' 2>/dev/null' : ''
  return `${unset}export${set}${quiet};`
}

function unsetMissing(env: Environment, exported: Map<string, string>): string {
  let names = ''
  for (const name of exported.keys()) {
    if (Object.hasOwn(env, name)) continue
    exported.delete(name)
    names += ` ${name}`
  }
  return `unset${names};`
}

/** What the environment says of folders, where that is not what going there says. */
function afterFolder(env: Environment, cwd: string): string {
  const { PWD, OLDPWD } = env
  const folder = PWD === cwd ? '' : PWD === undefined ? 'unset PWD;' : `export PWD=${quote(PWD)};`
  const more = OLDPWD === undefined ? folder : `${folder}export OLDPWD=${quote(OLDPWD)}`
  return more === '' ? '' : ` ${quote(more)}`
}

/** One word on one line, whatever it holds but NUL. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll('\n', `'"$_hookline_n"'`)}'`
}
