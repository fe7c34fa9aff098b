/** The shell text around a fence: one shell outside that ends all when the host is gone, one inside that tells how the program ended. */

/** The descriptor on which is told that the program is about to be run, and how it ended. No program inherits it. */
export const statusDescriptor = 3
/** The descriptor that ends when the host is gone. */
export const hostDescriptor = 4

/** Calls itself so in what it says. */
export const innerName = 'hookline-sandbox'

/**
 * Leads the group. What builds a fence can be interrupted at any moment by the end of the host, and then stay for ever or run its program all
 * the same: being told of a parent's end has to be asked for first, at each step. So a second process waits for that from before the first step on, and kills
 * the group. Nobody leaves the group before there is a namespace whose first process is in it.
 * The word on the descriptor fails, and ends this shell, when the host is gone already.
 */
const guard = `echo >&${hostDescriptor} || exit
exec 5>&2 2>/dev/null
{ read -r x <&${hostDescriptor}; kill -9 0; } </dev/null >/dev/null ${statusDescriptor}>&- 5>&- &
exec ${hostDescriptor}>&-
"$@" 2>&5 5>&-
s=$?
kill -9 $!
wait
exit $s`

/**
 * Starts the program, with a word before that fails when the host is gone. It is not the program itself that is started in the namespace: its first process
 * cannot be asked to end, has everybody's orphans, and what stands between here and there turns an end by a signal into a code.
 * A shell says how its child was killed, on what is the status by then; in a subshell, since what is said after a command goes where the command's own words went. Bash says so only outside of its POSIX mode.
 * Being asked to end is caught, not ignored: what is ignored, hooks would inherit.
 */
const inner = `[ -z "\${BASH_VERSION-}" ] || { (set +o posix) 2>/dev/null && set +o posix; }
trap : 1 2 3 10 12 13 14 15
echo begun >&${statusDescriptor} || exit
exec 5>&2 2>&${statusDescriptor}
(exec "$@") 2>&5 ${statusDescriptor}>&- 5>&-
s=$?
echo "exit-code $s" >&${statusDescriptor}
exit $s`

/** Before the program that builds a fence. */
export const guardLine: readonly string[] = ['/bin/sh', '-c', guard, 'hookline-fence']

/** Before the program that is fenced in. `setsid` gives that a session of its own, as it has without a fence, so that nothing it signals is the fence. */
export function innerLine(setsid: string | undefined): readonly string[] {
  return ['/bin/sh', '-c', inner, innerName, ...(setsid === undefined ? [] : [setsid])]
}
