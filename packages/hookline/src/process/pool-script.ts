/** The shell text of the pool: what its processes do, and how one run is written down for them. */
import type { Environment } from './environment.ts'
import { addMark, markName } from './mark.ts'

/** The descriptors a shell can name with one digit, beside the three that every program has: one channel each. */
export const channels = [3, 4, 5, 6, 7, 8, 9] as const

/** Where the tools are that a pool is started with. Hooks never see this. */
export const toolPath = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** The only variable that a worker needs for itself. */
export const lineName = '_hookline'

/** The names a shell can export. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Runs each line it is sent. Standard input, output and error are one socket: it is nowhere in the file system, and /proc opens no sockets,
 * so that no hook can write to it, neither a status nor a line.
 * The signals that a hook can send to its whole group are caught, not ignored: what is ignored, hooks would inherit.
 * Bash says how a child died only outside of its POSIX mode. With `$2` it first shows what the shell says when a child is killed. `$1` is where its pipes are, `$3` a line end.
 */
const worker = `exec 2>&1 ${channels.map((channel) => `${channel}>&-`).join(' ')}
mkfifo -m 600 "$1.o" "$1.e" || exit
(set +o posix) 2>/dev/null && set +o posix
trap : 1 2 3 10 12 13 14 15
unset PATH PWD OLDPWD SHLVL
cd /
[ -z "$2" ] || /bin/sh -c 'kill -9 $$'
echo "ready $$"
while IFS= read -r ${lineName}; do eval "$${lineName}"; done`

/**
 * Starts a worker for each line "channel name check", in a session of its own. \`setsid\` run by the leader of a group leaves by itself,
 * so that nothing is a background job: a shell makes those ignore SIGINT.
 * A last line "end" means that all is in order; an input that merely ends means that the host is gone, and its folder \`$2\` goes as well.
 */
const nursery = `cd /
while IFS=' ' read -r c p k; do
[ "$c" != end ] || exit
eval "{ setsid -f /bin/sh -c \\"\\$1\\" hookline-pool \\"\\$2/\\$p\\" \\"\\$k\\" \\"\\$3\\" || setsid setsid /bin/sh -c \\"\\$1\\" hookline-pool \\"\\$2/\\$p\\" \\"\\$k\\" \\"\\$3\\"; } <&$c >&$c
exec $c>&-"
done
[ ! -d "$2" ] || rm -rf -- "$2"`

/** The arguments of the shell that starts workers. */
export function nurseryArguments(folder: string): string[] {
  return ['-c', nursery, 'hookline-pool', worker, folder, '\n']
}

/** One run. */
export interface RunScript {
  readonly command: string
  readonly cwd: string
  /** The file the command reads. */
  readonly input: string
  readonly env: Environment
  /** The run's mark, which joins those in the environment. */
  readonly mark: string
}

// `cd` sets and exports these two, so what a worker had there is never what was exported last.
const setByCd = ['PWD', 'OLDPWD'] as const

/** The line that a hook's shell writes to stderr before all else: its process id. Without it, nothing of the command was run. */
export const beginning = /^(\d+)\n/

/**
 * Writes down a run as one line for a worker that has exported `exported`, which is brought up to date; the worker answers with `id` and the
 * status. The command stands on the first line of its shell, as it would by itself. Until that line begins, the shell's stderr is the
 * worker's: that way the worker's own word on how the shell died stays apart from what the hook wrote.
 * Each pipe is first opened for both directions, which never waits: a host that died meanwhile would be waited for without end.
 */
export function writeRun(run: RunScript, { id, exported }: { id: number; exported: Map<string, string> }): string {
  const shell = `/bin/sh -c ${quote(`echo $$>&9;exec 2>&9 9>&-; ${run.command}`)} <${quote(run.input)}`
  const pipes = '7<>"$1.o" >"$1.o" 7>&- 8<>"$1.e" 9>"$1.e" 8>&-'
  const all = `[ -p "$1.o" ]&&[ -p "$1.e" ]&&cd -P ${quote(run.cwd)}&&{ ${exportChanges(run, exported)}${shell} ${pipes};}`
  return `${all};echo "${id} $?"||exit;cd /\n`
}

/** What the worker must export anew, and no longer. */
function exportChanges({ env, mark }: RunScript, exported: Map<string, string>): string {
  for (const name of setByCd) exported.set(name, '\0')
  const value = addMark(env[markName], mark)
  exported.set(markName, value)
  let set = ` ${markName}=${quote(value)}`
  let count = 1
  for (const name of Object.keys(env)) {
    if (name === markName || !variableName.test(name)) continue
    count++
    const value = env[name] as string
    if (exported.get(name) === value) continue
    exported.set(name, value)
    set += ` ${name}=${quote(value)}`
  }
  // Bash warns of a locale that is not there. The hook's own shell will, where it should be seen.
  const quiet = / (?:LC_\w+|LANG)=/.test(set) ? ' 2>/dev/null' : ''
  return `${exported.size > count ? unsetMissing(env, exported) : ''}export${set}${quiet};`
}

function unsetMissing(env: Environment, exported: Map<string, string>): string {
  let names = ''
  for (const name of exported.keys()) {
    if (name === markName || Object.hasOwn(env, name)) continue
    exported.delete(name)
    names += ` ${name}`
  }
  return `unset${names};`
}

/** One word on one line, whatever it holds but NUL. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''").replaceAll('\n', `'"$3"'`)}'`
}
