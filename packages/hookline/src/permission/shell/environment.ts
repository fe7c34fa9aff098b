/** Environment variables: the ones an allow rule may see past, and the ones whose value is itself a command. */

const harmless = new Set([
  'CI',
  'CGO_ENABLED',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'COLORTERM',
  'COLUMNS',
  'DEBUG',
  'FORCE_COLOR',
  'GO111MODULE',
  'GOARCH',
  'GOOS',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_NUMERIC',
  'LC_TIME',
  'LINES',
  'NODE_ENV',
  'NO_COLOR',
  'PYTHONDONTWRITEBYTECODE',
  'PYTHONUNBUFFERED',
  'RUST_BACKTRACE',
  'RUST_LOG',
  'TERM',
  'TZ',
])

/** An allow rule may see past an assignment to this variable: it changes how a program looks or logs, never what it runs. */
export function isHarmlessVariable(name: string): boolean {
  return harmless.has(name)
}

const carriesCommand =
  /^GIT_|_COMMAND$|PAGER$|EDITOR$|^VISUAL$|^BROWSER$|ASKPASS$|_CMD$|_EXEC$|^SHELL$|^LESSOPEN$|^LESSCLOSE$|^PS[0-4]$|^BASH_ENV$|^ENV$|^RSYNC_RSH$|^CVS_RSH$|_OPENER$|_WRAPPER$|^MAKEFLAGS$|^CC$|^CXX$/

/** Some program runs this variable's value as a command. */
export function holdsCommand(name: string): boolean {
  return carriesCommand.test(name)
}
