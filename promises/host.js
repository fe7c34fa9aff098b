/** Starts a program of this folder as a process of its own, and talks to it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `hosts/NAME` with a task; `messages` are what it sent. `before` are words that put it into a room. */
export function startHost(name, task, { before = [], flags = [], env = process.env } = {}) {
  const [program, ...args] = [...before, process.execPath, ...flags, fileURLToPath(new URL(`hosts/${name}`, import.meta.url)), JSON.stringify(task)]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env })
  running.add(child)
  const messages = []
  let stderr = ''
  child.stderr.on('data', (bytes) => {
    stderr = (stderr + bytes).slice(-4_000)
  })
  child.on('message', (message) => messages.push(message))
  const ended = new Promise((done) => {
    child.on('error', (error) => done({ code: undefined, stderr: String(error) }))
    child.on('close', (code, signal) => {
      running.delete(child)
      done({ code: signal ?? code, stderr })
    })
  })
  return {
    child,
    messages,
    ended,
    /** The last message, once it has ended well. @throws when it did not. */
    async finding() {
      const { code, stderr: said } = await ended
      if (code !== 0 || messages.length === 0) throw new Error(`${name} ended with ${code}: ${said}`)
      return messages.at(-1)
    },
  }
}
