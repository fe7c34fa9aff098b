/** The mark that all processes of a run inherit, by which those that left its group are found. */

/** The variable that carries the marks of a run and of the runs it was started in. */
export const markName = 'HOOKLINE_RUN'

const separator = ':'
// A hook that starts hooks adds a mark each time; deeper than this, only the newest marks are kept.
const deepest = 32

let marksMade = 0
const prefix = `${process.pid.toString(36)}-${Date.now().toString(36)}`

/** A mark that no other run has. */
export function newMark(): string {
  return `${prefix}-${(++marksMade).toString(36)}`
}

/** The value of the variable for a run inside of those that `inherited` names. */
export function addMark(inherited: string | undefined, mark: string): string {
  const marks = inherited === undefined || inherited === '' ? [] : inherited.split(separator)
  return [...marks.slice(1 - deepest), mark].join(separator)
}

/** True when the variables, joined by NUL as the system keeps them, carry the mark. */
export function carriesMark(variables: string, mark: string): boolean {
  const line = `\0${variables}`
  const start = line.indexOf(`\0${markName}=`)
  if (start === -1) return false
  const end = line.indexOf('\0', start + 1)
  return line
    .slice(start + markName.length + 2, end === -1 ? undefined : end)
    .split(separator)
    .includes(mark)
}
