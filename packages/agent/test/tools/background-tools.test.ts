/** TaskOutput and TaskStop on real background commands. */
import { describe, expect, it } from 'vitest'
import { bash } from '../../src/tools/bash.ts'
import { taskOutput } from '../../src/tools/task-output.ts'
import { taskStop } from '../../src/tools/task-stop.ts'
import { openBench, type ToolBench } from './bench.ts'

async function started(command: string): Promise<{ bench: ToolBench; id: string }> {
  const bench = await openBench()
  await bench.run(bash, { command, run_in_background: true })
  return { bench, id: bench.background[0]!.id }
}

describe('TaskOutput', () => {
  it('waits for the end and gives output and exit code', async () => {
    const { bench, id } = await started('echo one; sleep 0.2; echo two; exit 3')
    const { response, text } = await bench.run(taskOutput, { task_id: id })
    expect(response).toEqual({
      retrieval_status: 'success',
      task: { task_id: id, task_type: 'local_bash', status: 'failed', description: 'echo one; sleep 0.2; echo two; exit 3', output: 'one\ntwo', exitCode: 3 },
    })
    expect(text).toContain('<exit_code>3</exit_code>')
  })

  it.each([
    ['that does not wait', { block: false }, 'not_ready'],
    ['whose patience ends', { timeout: 50 }, 'timeout'],
  ])('%s says that the task still runs', async (_title, input, status) => {
    const { bench, id } = await started('sleep 60')
    expect((await bench.run(taskOutput, { task_id: id, ...input })).response).toMatchObject({ retrieval_status: status, task: { status: 'running' } })
  })

  it('gives up waiting at an abort', async () => {
    const { bench, id } = await started('sleep 60')
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), 50)
    await expect(bench.run(taskOutput, { task_id: id }, { signal: stop.signal })).rejects.toThrow('enough')
  })

  it('of an unknown task names those there are', async () => {
    const { bench, id } = await started('true')
    expect(await bench.fails(taskOutput, { task_id: 'b0' })).toBe(`No task found with ID: b0. Known are ${id}.`)
  })
})

describe('TaskStop', () => {
  it('ends a command, once', async () => {
    const { bench, id } = await started('sleep 60')
    expect(await bench.run(taskStop, { task_id: id })).toEqual({
      response: { message: `Successfully stopped task: ${id} (sleep 60)`, task_id: id, task_type: 'local_bash', command: 'sleep 60' },
      text: `Successfully stopped task: ${id} (sleep 60)`,
    })
    expect(bench.background[0]!.status).toBe('killed')
    expect(await bench.fails(taskStop, { task_id: id })).toBe(`Task ${id} is not running (status: killed)`)
  })
})
