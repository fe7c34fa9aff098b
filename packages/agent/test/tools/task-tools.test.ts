/** The task list and its tools: hooks that refuse, links between tasks, and several processes on one file. */
import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { taskCreate } from '../../src/tools/task-create.ts'
import { taskGet } from '../../src/tools/task-get.ts'
import { openTaskList } from '../../src/tools/task-list.ts'
import { taskListTool } from '../../src/tools/task-list-tool.ts'
import { taskUpdate } from '../../src/tools/task-update.ts'
import { openBench, type ToolBench } from './bench.ts'

async function withTasks(): Promise<ToolBench> {
  const bench = await openBench()
  bench.workspace.services.tasks = openTaskList(bench.path('state/tasks.json'))
  return bench
}

const task = (subject: string) => ({ subject, description: `do ${subject}` })

describe('TaskCreate', () => {
  it('numbers tasks and fires TaskCreated with the task', async () => {
    const bench = await withTasks()
    const seen: unknown[] = []
    bench.engine.on('TaskCreated', ({ task_id, task_subject, task_description }) => void seen.push([task_id, task_subject, task_description]))
    expect(await bench.run(taskCreate, task('one'))).toEqual({ response: { task: { id: '1', subject: 'one' } }, text: 'Task #1 created successfully: one' })
    await bench.run(taskCreate, task('two'))
    expect(seen).toEqual([
      ['1', 'one', 'do one'],
      ['2', 'two', 'do two'],
    ])
  })

  it('is rolled back when a hook refuses it, and the model reads why', async () => {
    const bench = await withTasks()
    bench.engine.on('TaskCreated', ({ task_subject }) => (task_subject === 'bad' ? { block: 'name a file' } : undefined))
    await bench.run(taskCreate, task('good'))
    expect(await bench.fails(taskCreate, task('bad'))).toContain('name a file')
    expect((await bench.run(taskListTool, {})).text).toBe('#1 [pending] good')
    expect((await bench.run(taskCreate, task('next'))).text).toMatch(/^Task #3/)
  })

  it('says where there is no list', async () => {
    const bench = await openBench()
    expect(await bench.fails(taskCreate, task('one'))).toBe('There is no task list in this conversation.')
  })
})

describe('TaskUpdate', () => {
  it('changes what is new and says from where to where', async () => {
    const bench = await withTasks()
    await bench.run(taskCreate, task('one'))
    expect((await bench.run(taskUpdate, { taskId: '1', status: 'in_progress', owner: 'ann', subject: 'one' })).response).toEqual({
      success: true,
      taskId: '1',
      updatedFields: ['owner', 'status'],
      statusChange: { from: 'pending', to: 'in_progress' },
    })
  })

  it('to completed asks TaskCompleted first, with the owner, and changes nothing when that says no', async () => {
    const bench = await withTasks()
    let refuse = true
    const seen: unknown[] = []
    bench.engine.on('TaskCompleted', ({ task_id, task_subject, teammate_name }) => {
      seen.push([task_id, task_subject, teammate_name])
      return refuse ? { block: 'the tests fail' } : undefined
    })
    await bench.run(taskCreate, task('one'))
    await bench.run(taskUpdate, { taskId: '1', status: 'in_progress', owner: 'ann' })
    expect(await bench.fails(taskUpdate, { taskId: '1', status: 'completed', subject: 'other' })).toContain('the tests fail')
    expect(await bench.workspace.services.tasks!.get('1')).toMatchObject({ status: 'in_progress', subject: 'one' })
    refuse = false
    await bench.run(taskUpdate, { taskId: '1', status: 'completed' })
    await bench.run(taskUpdate, { taskId: '1', status: 'completed' })
    expect(seen).toEqual([
      ['1', 'other', 'ann'],
      ['1', 'one', 'ann'],
    ])
    expect((await bench.run(taskListTool, {})).text).toBe('#1 [completed] one (ann)')
  })

  it('links both ends; what is done blocks nothing any more, and what is deleted is gone from both', async () => {
    const bench = await withTasks()
    for (const name of ['one', 'two', 'three']) await bench.run(taskCreate, task(name))
    await bench.run(taskUpdate, { taskId: '3', addBlockedBy: ['1', '2', '9'] })
    expect((await bench.run(taskGet, { taskId: '1' })).response).toMatchObject({ task: { blocks: ['3'], blockedBy: [] } })
    await bench.run(taskUpdate, { taskId: '1', status: 'completed' })
    expect((await bench.run(taskListTool, {})).text.split('\n')[2]).toBe('#3 [pending] three [blocked by #2]')
    await bench.run(taskUpdate, { taskId: '2', status: 'deleted' })
    expect((await bench.run(taskGet, { taskId: '3' })).text).toBe('Task #3: three\nStatus: pending\nDescription: do three\nBlocked by: #1')
  })

  it('merges metadata, and null removes a key', async () => {
    const bench = await withTasks()
    await bench.run(taskCreate, { ...task('one'), metadata: { a: 1, b: 2 } })
    await bench.run(taskUpdate, { taskId: '1', metadata: { b: null, c: 3 } })
    expect((await bench.workspace.services.tasks!.get('1'))?.metadata).toEqual({ a: 1, c: 3 })
  })

  it.each([
    ['TaskUpdate', (bench: ToolBench) => bench.fails(taskUpdate, { taskId: '9', status: 'completed' }), 'Task #9 not found'],
    ['TaskGet', async (bench: ToolBench) => (await bench.run(taskGet, { taskId: '9' })).text, 'Task #9 not found'],
  ])('%s knows no task that is not there', async (_title, ask, expected) => {
    expect(await ask(await withTasks())).toBe(expected)
  })
})

describe('the list on disk', () => {
  it('loses nothing when several processes write at once', async () => {
    const bench = await withTasks()
    const file = bench.path('state/tasks.json')
    const writer = `
      const { openTaskList } = await import(${JSON.stringify(fileURLToPath(new URL('../../src/tools/task-list.ts', import.meta.url)))})
      const list = openTaskList(${JSON.stringify(file)})
      for (let at = 0; at < 15; at++) await list.create({ subject: process.pid + '-' + at, description: '' })`
    await bench.put('writer.mjs', writer)
    await build({
      entryPoints: [bench.path('writer.mjs')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bench.path('bundle.mjs'),
      logLevel: 'error',
      nodePaths: [fileURLToPath(new URL('../../../../node_modules', import.meta.url))],
    })
    await Promise.all([1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, [bench.path('bundle.mjs')])))
    const tasks = await openTaskList(file).list()
    expect(tasks).toHaveLength(60)
    expect(new Set(tasks.map((it) => it.id)).size).toBe(60)
  })

  it('is not kept by a process that died with the lock', async () => {
    const bench = await withTasks()
    await bench.run(taskCreate, task('one'))
    // No process has this number: it is over the largest that Linux gives.
    symlinkSync('4194399.dead', bench.path('state/tasks.json.lock'))
    await Promise.all(['two', 'three', 'four'].map((name) => bench.run(taskCreate, task(name))))
    expect(await bench.workspace.services.tasks!.list()).toHaveLength(4)
  })

  it('that is damaged is not written over', async () => {
    const bench = await withTasks()
    await bench.run(taskCreate, task('one'))
    await writeFile(bench.path('state/tasks.json'), '{"version":1')
    expect(await bench.fails(taskCreate, task('two'))).toMatch(/tasks\.json is damaged/)
    expect(await readFile(bench.path('state/tasks.json'), 'utf8')).toBe('{"version":1')
  })
})
