/** Which of the tools that Hookline knows change files, and in which field they name one; the others only read. */
import { toolNames } from '../protocol/tools.ts'

/** The field with the file that a tool writes. */
export const fileFields: Readonly<Record<string, string>> = { Write: 'file_path', Edit: 'file_path', MultiEdit: 'file_path', NotebookEdit: 'notebook_path' }

/** Tools that run a command of a shell. */
export const shellTools: ReadonlySet<string> = new Set(['Bash', 'Monitor', 'PowerShell'])

const known = new Set(toolNames)

/** True for a known tool that changes no file, whatever its input says. A tool of a server or of the host is not known. */
export function onlyReads(tool: string): boolean {
  return known.has(tool) && !Object.hasOwn(fileFields, tool) && !shellTools.has(tool)
}
