/** Which file a hook is defined in: whether Node was started with it, and where in it an error happened. */

/** The last part of a path or URL. */
export function baseName(file: string): string {
  return file.replace(/^.*[/\\]/, '')
}

/** ` at guard.mjs:12:9`: where an error comes from; a whole stack is for the author's own debugger. */
export function placeOf(error: unknown): string {
  const frame = error instanceof Error ? /(?:\(|at )((?:file:|\/|[A-Za-z]:[\\/])[^\n]*?:\d+:\d+)\)?$/m.exec(error.stack ?? '')?.[1] : undefined
  return frame === undefined ? '' : ` at ${baseName(frame)}`
}

/** Whether a file, given as path or URL, is the one that Node was started with. */
export function isScript(file: string): boolean {
  const main = process.argv[1]
  if (main === undefined) return false
  try {
    const path = file.startsWith('file:') ? process.getBuiltinModule('node:url').fileURLToPath(file) : file
    const { realpathSync } = process.getBuiltinModule('node:fs')
    // Node runs a script that is named without its extension.
    return path.replace(/\.\w+$/, '') === main || realpathSync(path) === realpathSync(main)
  } catch {
    return false
  }
}

/** The file of the code that called `callee`, if this runtime can tell. */
export function callerOf(callee: (...args: never[]) => unknown): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = 1
    Error.prepareStackTrace = (_, sites) => sites
    Error.captureStackTrace(holder, callee)
    return (holder.stack as NodeJS.CallSite[] | undefined)?.[0]?.getFileName() ?? undefined
  } catch {
    return undefined
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    if (prepareStackTrace !== undefined) Error.prepareStackTrace = prepareStackTrace
  }
}
