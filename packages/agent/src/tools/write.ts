/** Write: creates a file, or replaces one that was read. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { noteRead, readFailure, textBeforeChange } from './file-state.ts'
import { patchOf } from './patch.ts'
import { absolute } from './place.ts'
import { defineTool } from './tool.ts'

const schema = z.strictObject({
  file_path: z.string().min(1).describe('Path of the file, best absolute'),
  content: z.string().describe('The whole new text'),
})

/** What the model reads after a change: it need not read the file again. */
export const current = '(file state is current in your context — no need to Read it back)'

export const write = defineTool({
  name: 'Write',
  description: 'Writes a whole file; folders on the way are made. A file that exists must have been read first. To change a part of a file use Edit.',
  kind: 'edit',
  schema,
  normalize: (input, workspace) => ({ ...input, file_path: absolute(input.file_path, workspace) }),
  async execute(input, { workspace }) {
    const path = absolute(input.file_path, workspace)
    const before = await textBeforeChange(path, workspace)
    await save(path, input.content)
    await noteRead(path, workspace)
    const common = { filePath: path, content: input.content, structuredPatch: before === undefined ? [] : patchOf(before, input.content) }
    if (before === undefined)
      return { response: { type: 'create', ...common, originalFile: null, userModified: false }, text: `File created successfully at: ${path} ${current}` }
    return {
      response: { type: 'update', ...common, originalFile: before, userModified: false },
      text: `The file ${path} has been updated successfully. ${current}`,
    }
  },
  textOf: (response) => {
    const { filePath, type } = (response ?? {}) as { filePath?: unknown; type?: unknown }
    if (typeof filePath !== 'string') return undefined
    return type === 'create' ? `File created successfully at: ${filePath} ${current}` : `The file ${filePath} has been updated successfully. ${current}`
  },
})

/** Writes in place, so that links, owner and mode stay. @throws ToolError */
export async function save(path: string, content: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  } catch (error) {
    throw readFailure(error as NodeJS.ErrnoException, path)
  }
}
