/** The marks by which a run finds what left its group. */
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { findLiving } from '../../src/process/census.ts'
import { addMark, carriesMark, newMark } from '../../src/process/mark.ts'

describe('the marks of a run', () => {
  it('are never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, newMark)).size).toBe(1000)
  })

  it.each([
    ['begin with the first run', undefined, 'b', 'b'],
    ['begin with the first run, also after an empty value', '', 'b', 'b'],
    ['add up when a hook starts hooks', 'a', 'b', 'a:b'],
  ])('%s', (_name, inherited, mark, value) => {
    expect(addMark(inherited, mark)).toBe(value)
  })

  it('do not grow for ever', () => {
    let value: string | undefined
    for (let depth = 0; depth < 100; depth++) value = addMark(value, newMark())
    expect(value?.split(':')).toHaveLength(32)
  })

  it.each([
    ['the first variable', 'HOOKLINE_RUN=m\0A=b\0', true],
    ['a later variable', 'A=b\0HOOKLINE_RUN=m\0C=d\0', true],
    ['the last variable', 'A=b\0HOOKLINE_RUN=m', true],
    ['one mark of several', 'HOOKLINE_RUN=k:m:n\0', true],
    ['no part of another mark', 'HOOKLINE_RUN=mm:xm\0', false],
    ['no variable that only ends like it', 'MY_HOOKLINE_RUN=m\0', false],
    ['no value of another variable', 'A=HOOKLINE_RUN=m\0', false],
    ['nothing', '', false],
  ])('are read from %s', (_name, variables, carried) => {
    expect(carriesMark(variables, 'm')).toBe(carried)
  })

  it('find nobody for a run that never was', async () => {
    expect(await findLiving({ leader: 0x7fffffff, mark: newMark() })).toEqual([])
  })
})

describe('the census', () => {
  it('finds a process by its mark however many variables stand before it, and calls it a stray of another group', async () => {
    const mark = newMark()
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`A_LONG_ONE_${index}`, 'x'.repeat(10_000)]))
    const child = spawn('/bin/sleep', ['3600'], { env: { ...long, HOOKLINE_RUN: `other:${mark}` }, stdio: 'ignore' })
    await new Promise((resolve) => child.once('spawn', resolve))
    const asStray = await findLiving({ leader: 0x7fffffff, mark })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(asStray).toEqual([{ pid: child.pid, stray: true, fence: false }])
    expect(await findLiving({ leader: 0x7fffffff, mark })).toEqual([])
  })
})
