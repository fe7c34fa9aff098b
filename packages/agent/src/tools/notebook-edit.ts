/** NotebookEdit: replaces, inserts or deletes one cell of a Jupyter notebook. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { noteRead, notFound, textBeforeChange } from './file-state.ts'
import { absolute } from './place.ts'
import { defineTool, ToolError } from './tool.ts'
import { save } from './write.ts'

const schema = z.strictObject({
  notebook_path: z.string().min(1).describe('Path of the .ipynb file, best absolute'),
  new_source: z.string().describe('The new text of the cell'),
  cell_id: z.string().optional().describe('The cell; for insert the one before the new cell, absent for the beginning'),
  cell_type: z.enum(['code', 'markdown']).optional().describe('Needed for insert'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('Default replace'),
})

type Input = z.output<typeof schema>

// What we do not know stays as it is.
const cell = z.looseObject({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]), id: z.string().optional() })
const notebook = z.looseObject({
  cells: z.array(cell),
  nbformat: z.number(),
  nbformat_minor: z.number(),
  metadata: z.looseObject({ language_info: z.looseObject({ name: z.string().optional() }).optional() }).optional(),
})

type Notebook = z.output<typeof notebook>
type Cell = z.output<typeof cell>

export const notebookEdit = defineTool({
  name: 'NotebookEdit',
  description: 'Changes one cell of a Jupyter notebook (.ipynb) that was read before.',
  kind: 'edit',
  deferred: true,
  schema,
  normalize: (input, workspace) => ({ ...input, notebook_path: absolute(input.notebook_path, workspace) }),
  async execute(input, { workspace }) {
    const path = absolute(input.notebook_path, workspace)
    if (!path.endsWith('.ipynb')) throw new ToolError('File must be a Jupyter notebook (.ipynb file). For editing other file types, use the Edit tool.')
    const before = await textBeforeChange(path, workspace)
    if (before === undefined) throw await notFound(path, workspace)
    const content = parse(before)
    const changed = change(content, input)
    const after = `${JSON.stringify(content, undefined, 1)}\n`
    await save(path, after)
    await noteRead(path, workspace)
    const mode = input.edit_mode ?? 'replace'
    const response = {
      new_source: input.new_source,
      ...(changed.id === undefined ? {} : { cell_id: changed.id }),
      cell_type: changed.cell_type,
      language: content.metadata?.language_info?.name ?? 'python',
      edit_mode: mode,
      notebook_path: path,
      original_file: before,
      updated_file: after,
    }
    const where = changed.id ?? input.cell_id ?? ''
    return {
      response,
      text: mode === 'delete' ? `Deleted cell ${where}` : `${mode === 'insert' ? 'Inserted' : 'Updated'} cell ${where} with ${input.new_source}`,
    }
  },
})

function parse(text: string): Notebook {
  try {
    return notebook.parse(JSON.parse(text))
  } catch {
    throw new ToolError('Notebook is not valid JSON, or has no cells.')
  }
}

function change(content: Notebook, { edit_mode: mode = 'replace', cell_id, cell_type, new_source }: Input): Cell {
  if (mode === 'insert') {
    if (cell_type === undefined) throw new ToolError('Cell type is required when using edit_mode=insert.')
    const made = fresh(cell_type, new_source, content)
    content.cells.splice(cell_id === undefined ? 0 : indexOf(content, cell_id) + 1, 0, made)
    return made
  }
  if (cell_id === undefined) throw new ToolError('Cell ID must be specified when not inserting a new cell.')
  const at = indexOf(content, cell_id)
  const found = content.cells[at] as Cell
  if (mode === 'delete') content.cells.splice(at, 1)
  else {
    Object.assign(found, { source: new_source, ...(cell_type === undefined ? {} : { cell_type }) })
    // What it printed came from another text.
    if (found.cell_type === 'code') Object.assign(found, { execution_count: null, outputs: [] })
  }
  return found
}

/** By id, or as `cell-3` by place for notebooks whose cells have none. */
function indexOf(content: Notebook, id: string): number {
  const byId = content.cells.findIndex((it) => it.id === id)
  const place = Number(/^cell-(\d+)$/.exec(id)?.[1] ?? Number.NaN)
  const at = byId === -1 ? place : byId
  if (content.cells[at] === undefined) throw new ToolError(`Cell with ID "${id}" not found in notebook.`)
  return at
}

function fresh(type: 'code' | 'markdown', source: string, { nbformat, nbformat_minor: minor }: Notebook): Cell {
  // Cells have ids since 4.5.
  const id = nbformat > 4 || (nbformat === 4 && minor >= 5) ? { id: randomBytes(4).toString('hex') } : {}
  return { cell_type: type, ...id, metadata: {}, source, ...(type === 'code' ? { execution_count: null, outputs: [] } : {}) }
}
