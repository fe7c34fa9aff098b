/** The first word of a worker: is it there, and is it what the pool needs. */
import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { PoolWorker } from './pool-worker.ts'

/** Waits for a worker to say that it is ready, and checks that it is what the pool needs. Rejects when it is not. */
export async function openWorker(channel: Socket, base: string, { check }: { check: boolean }): Promise<PoolWorker> {
  const said = await firstWord(channel)
  const pid = Number(/^ready (\d+)$/m.exec(said)?.[1])
  if (!(pid > 1)) throw new Error('the worker did not start')
  // Only a socket cannot be opened by others through /proc.
  if (!readlinkSync(`/proc/${pid}/fd/1`).startsWith('socket:')) throw new Error('the channel is no socket')
  if (check && said.startsWith('ready')) throw new Error('the shell does not say that a child was killed')
  return new PoolWorker(pid, base, channel)
}

function firstWord(channel: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (chunk: Buffer) => {
      said += chunk.toString('latin1')
      if (!/^ready .*\n$/m.test(said)) return
      channel.off('data', listen).off('close', miss).pause()
      resolve(said)
    }
    const miss = () => reject(new Error('the worker ended before it was ready'))
    channel.on('data', listen)
    channel.once('close', miss)
  })
}
