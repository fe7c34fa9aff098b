/** A host that is killed while fences are being built: nothing of them is left, and nothing begins without a host. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fencersOf, tryFencer } from '../../src/process/sandbox-tools.ts'
import { allGone, newToken, survivors } from '../fixtures/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'hookline-sandbox-host-'))
afterAll(() => rmSync(root, { recursive: true }))

const host = join(root, 'host.mjs')
writeFileSync(
  host,
  `import { spawn } from 'node:child_process'
   const [line, count] = process.argv.slice(2).map((one) => JSON.parse(one))
   console.log('go')
   const begin = () => spawn(line[0], line.slice(1), { detached: true, stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] })
   for (let one = 0; one < count; one++) begin()
   setInterval(begin, 20)`,
)

const ways = ['contained', 'restricted'] as const
const fencers = ways.flatMap((mode) => fencersOf(mode).filter((one) => tryFencer(one) === undefined))

describe('a host that is killed at any moment', () => {
  it('leaves nothing of the fences it was building, by every way that works here', async (ctx) => {
    if (fencers.length === 0) return ctx.skip('this machine does not let us make namespaces')
    for (const { program, before, between } of fencers) {
      for (let round = 0; round < 4; round++) {
        const token = newToken()
        const line = [program, ...before, ...between, 'sh', '-c', 'sleep 3600']
        const child = spawn(process.execPath, [host, JSON.stringify(line), '4'], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { PATH: '/usr/bin:/bin', [token.name]: token.value },
        })
        await once(child.stdout, 'data')
        await new Promise((resolve) => setTimeout(resolve, round * 8))
        child.kill('SIGKILL')
        expect({ line, gone: await allGone(token) }).toEqual({ line, gone: true })
      }
    }
  })

  it('leaves nothing though a hook had stopped all that it could reach', async (ctx) => {
    if (fencers.length === 0) return ctx.skip('this machine does not let us make namespaces')
    for (const { program, before, between } of fencers) {
      const token = newToken()
      const line = [program, ...before, ...between, 'sh', '-c', 'kill -STOP 0; sleep 3600']
      const child = spawn(process.execPath, [host, JSON.stringify(line), '1'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: '/usr/bin:/bin', [token.name]: token.value },
      })
      // A hook that is stopped is in the state T.
      for (let tries = 0; tries < 1_000 && !survivors(token).some(isStopped); tries++) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(survivors(token).some(isStopped)).toBe(true)
      child.kill('SIGKILL')
      expect({ line, gone: await allGone(token) }).toEqual({ line, gone: true })
    }
  })
})

function isStopped(pid: number): boolean {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
