/** NotebookEdit on real notebooks. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { notebookEdit } from '../../src/tools/notebook-edit.ts'
import { read } from '../../src/tools/read.ts'
import { openBench } from './bench.ts'

const cells = [
  { cell_type: 'markdown', id: 'm1', metadata: {}, source: ['# Title'] },
  { cell_type: 'code', id: 'c1', metadata: { x: 1 }, source: 'print(1)', execution_count: 3, outputs: [{ output_type: 'stream' }] },
]
const notebook = { cells, metadata: { language_info: { name: 'julia' } }, nbformat: 4, nbformat_minor: 5, extra: true }

async function opened(content: unknown = notebook) {
  const bench = await openBench()
  await bench.put('n.ipynb', typeof content === 'string' ? content : JSON.stringify(content))
  await bench.run(read, { file_path: 'n.ipynb' })
  return { bench, now: async () => JSON.parse(await readFile(bench.path('n.ipynb'), 'utf8')) as typeof notebook }
}

describe('NotebookEdit', () => {
  it('replaces a cell, forgets what it printed, and keeps the rest', async () => {
    const { bench, now } = await opened()
    const { response, text } = await bench.run(notebookEdit, { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: 'print(2)' })
    expect(response).toMatchObject({
      cell_id: 'c1',
      cell_type: 'code',
      language: 'julia',
      edit_mode: 'replace',
      notebook_path: bench.path('n.ipynb'),
      new_source: 'print(2)',
    })
    expect(text).toBe('Updated cell c1 with print(2)')
    expect(await now()).toEqual({ ...notebook, cells: [cells[0], { ...cells[1], source: 'print(2)', execution_count: null, outputs: [] }] })
  })

  it.each([
    ['at the beginning', {}, [expect.any(String), 'm1', 'c1']],
    ['behind a cell', { cell_id: 'm1' }, ['m1', expect.any(String), 'c1']],
    ['behind a cell by its place', { cell_id: 'cell-1' }, ['m1', 'c1', expect.any(String)]],
  ])('inserts a cell %s', async (_title, input, ids) => {
    const { bench, now } = await opened()
    await bench.run(notebookEdit, { notebook_path: 'n.ipynb', new_source: 'x', edit_mode: 'insert', cell_type: 'code', ...input })
    expect((await now()).cells.map((it) => it.id)).toEqual(ids)
  })

  it('deletes a cell', async () => {
    const { bench, now } = await opened()
    await bench.run(notebookEdit, { notebook_path: 'n.ipynb', new_source: '', edit_mode: 'delete', cell_id: 'm1' })
    expect((await now()).cells.map((it) => it.id)).toEqual(['c1'])
  })

  it.each([
    ['a cell that is not there', notebook, { cell_id: 'zz' }, /Cell with ID "zz" not found/],
    ['to guess the cell', notebook, {}, /Cell ID must be specified/],
    ['to guess the kind of a new cell', notebook, { edit_mode: 'insert' }, /Cell type is required/],
    ['what is no notebook', '{"cells": 1}', { cell_id: 'c1' }, /not valid JSON, or has no cells/],
  ])('refuses %s', async (_title, content, input, expected) => {
    const { bench } = await opened(content)
    expect(await bench.fails(notebookEdit, { notebook_path: 'n.ipynb', new_source: 'x', ...input })).toMatch(expected)
  })

  it('refuses a notebook that was not read, and other files', async () => {
    const bench = await openBench()
    await bench.put('n.ipynb', JSON.stringify(notebook))
    expect(await bench.fails(notebookEdit, { notebook_path: 'n.ipynb', cell_id: 'c1', new_source: '' })).toMatch(/has not been read yet/)
    expect(await bench.fails(notebookEdit, { notebook_path: 'n.txt', cell_id: 'c1', new_source: '' })).toMatch(/must be a Jupyter notebook/)
  })
})
