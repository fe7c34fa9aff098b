/** Really runs generated commands in bash, without a network, with stand-ins that write down how they were called. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkless } from './sandbox.js'

const standIns = ['git', 'rm', 'curl']

/** A folder with stand-ins first on PATH. Every command gets a working folder of its own in it. */
export function createShellRoom(folder) {
  const bin = join(folder, 'bin')
  for (const name of ['bin', 'commands', 'cwd', 'home']) mkdirSync(join(folder, name), { recursive: true })
  const log = join(folder, 'log')
  // The place of the log is written into the program: commands may clear the environment.
  for (const name of standIns) writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\0' "$#" ${name} "$@" >> '${log}'\n`, { mode: 0o755 })
  const words = networkless({ mounts: true })
  // Whoever names the real program by its whole path meets the stand-in too.
  const covers =
    words === undefined
      ? ''
      : standIns.map((name) => `for p in /usr/bin/${name} /bin/${name}; do [ -e $p ] && mount --bind '${bin}/${name}' $p; done`).join('\n')
  writeFileSync(
    join(folder, 'driver'),
    `${covers}
for n in "$@"; do
  cd '${folder}'/cwd/$n
  printf '0\\0%s\\0' "$n" >> '${log}'
  timeout -s KILL 10 bash --norc --noprofile -c "$(<'${folder}'/commands/$n)" </dev/null >/dev/null 2>&1
done
exit 0
`,
  )
  symlinkSync(bin, join(folder, 'home', 'bin'))
  let runs = 0
  return {
    sandboxed: words !== undefined,
    /** Runs commands one after the other; for each the calls of the stand-ins, as argument lists. */
    async run(commands) {
      const names = commands.map(() => `=${++runs}`)
      for (const [at, command] of commands.entries()) {
        writeFileSync(join(folder, 'commands', names[at]), command)
        mkdirSync(join(folder, 'cwd', names[at]))
        for (const file of ['push', 'f']) writeFileSync(join(folder, 'cwd', names[at], file), '')
      }
      writeFileSync(log, '')
      await finished([...(words ?? []), 'bash', '--norc', '--noprofile', join(folder, 'driver'), ...names], {
        PATH: `${bin}:/usr/bin:/bin`,
        HOME: join(folder, 'home'),
      })
      const calls = readCalls(log)
      return names.map((name) => calls.get(name) ?? [])
    },
  }
}

function finished([program, ...args], env) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'ignore', env })
    child.on('error', fail)
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`the room of the shells ended with ${code}`))))
  })
}

/** The calls by the command that made them: a record of no words is the name of the next command. */
function readCalls(path) {
  const parts = readFileSync(path, 'utf8').split('\0')
  const calls = new Map()
  let own = []
  for (let at = 0; at < parts.length - 1; ) {
    const words = parts.slice(at + 1, at + 2 + Number(parts[at]))
    at += 1 + words.length
    if (words[0].startsWith('=')) {
      own = []
      calls.set(words[0], own)
    } else own.push(words)
  }
  return calls
}
