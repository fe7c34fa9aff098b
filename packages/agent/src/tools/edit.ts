/** Edit: replaces one piece of a file's text by another. */
import { z } from 'zod'
import { noteRead, notFound, textBeforeChange } from './file-state.ts'
import { patchOf } from './patch.ts'
import { absolute } from './place.ts'
import { defineTool, ToolError } from './tool.ts'
import { current, save } from './write.ts'

const schema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, best absolute'),
  old_string: z.string().describe('The text to replace, exactly as it stands in the file, without line numbers'),
  new_string: z.string().describe('The text to put in its place'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence; otherwise there must be exactly one'),
})

export const edit = defineTool({
  name: 'Edit',
  description: 'Replaces text in a file that was read before. old_string must occur exactly once, unless replace_all is set; give enough of what is around it.',
  kind: 'edit',
  schema,
  normalize: (input, workspace) => ({ ...input, file_path: absolute(input.file_path, workspace) }),
  async execute(input, { workspace }) {
    const path = absolute(input.file_path, workspace)
    const { old_string: oldString, new_string: newString, replace_all: replaceAll } = input
    if (oldString === newString) throw new ToolError('No changes to make: old_string and new_string are exactly the same.')
    const before = await textBeforeChange(path, workspace)
    if (before === undefined && oldString !== '') throw await notFound(path, workspace)
    const after = replaced(before ?? '', { oldString, newString, replaceAll })
    await save(path, after)
    await noteRead(path, workspace)
    const response = {
      filePath: path,
      oldString,
      newString,
      originalFile: before ?? '',
      structuredPatch: patchOf(before ?? '', after),
      userModified: false,
      replaceAll,
    }
    return { response, text: textOf(path, replaceAll) }
  },
  textOf: (response) => {
    const { filePath, replaceAll } = (response ?? {}) as { filePath?: unknown; replaceAll?: unknown }
    return typeof filePath === 'string' ? textOf(filePath, replaceAll === true) : undefined
  },
})

function textOf(path: string, all: boolean): string {
  return `The file ${path} has been updated${all ? '. All occurrences were successfully replaced.' : ' successfully.'} ${current}`
}

function replaced(before: string, { oldString, newString, replaceAll }: { oldString: string; newString: string; replaceAll: boolean }): string {
  if (oldString === '') {
    if (before.trim() !== '') throw new ToolError('Cannot create new file - file already exists.')
    return newString
  }
  // A file may end its lines as Windows does; the model never sees that, and the file keeps it.
  const windows = before.includes('\r\n') && !oldString.includes('\r\n')
  const [old, fresh] = windows ? [oldString.replaceAll('\n', '\r\n'), newString.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')] : [oldString, newString]
  const pieces = before.split(old)
  const count = pieces.length - 1
  if (count === 0) throw new ToolError(`String to replace not found in file.\nString: ${oldString}`)
  if (count > 1 && !replaceAll)
    throw new ToolError(
      `Found ${count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${oldString}`,
    )
  return pieces.join(fresh)
}
