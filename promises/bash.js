/** Really runs generated commands in bash, without a network, with stand-ins that write down how they were called. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkless } from './sandbox.js'

const standIns = ['git', 'rm', 'curl']

/** A folder with stand-ins first on PATH. Every command gets a working folder of its own in it. */
export function createShellRoom(folder) {
  const bin = join(folder, 'bin')
  for (const name of ['bin', 'commands', 'cwd', 'logs', 'home']) mkdirSync(join(folder, name), { recursive: true })
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
ln -s '${bin}' '${folder}/home/bin' 2>/dev/null
for n in "$@"; do
  d='${folder}'/cwd/$n; mkdir "$d"; cd "$d"; : >push; : >f
  env -i PATH='${bin}':/usr/bin:/bin HOME='${folder}/home' timeout -s KILL 10 bash --norc --noprofile -c "$(<'${folder}'/commands/$n)" </dev/null >/dev/null 2>&1
  [ -e '${log}' ] && mv '${log}' '${folder}'/logs/$n
done
exit 0
`,
  )
  let runs = 0
  return {
    sandboxed: words !== undefined,
    /** Runs commands one after the other; for each the calls of the stand-ins, as argument lists. */
    async run(commands) {
      const names = commands.map(() => String(++runs))
      for (const [at, command] of commands.entries()) writeFileSync(join(folder, 'commands', names[at]), command)
      await finished([...(words ?? []), 'bash', '--norc', '--noprofile', join(folder, 'driver'), ...names])
      return names.map((name) => readCalls(join(folder, 'logs', name)))
    },
  }
}

function finished([program, ...args]) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: 'ignore', env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } })
    child.on('error', fail)
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`the room of the shells ended with ${code}`))))
  })
}

function readCalls(path) {
  if (!existsSync(path)) return []
  const parts = readFileSync(path, 'utf8').split('\0')
  const calls = []
  for (let at = 0; at < parts.length - 1; ) {
    const length = Number(parts[at]) + 1
    calls.push(parts.slice(at + 1, at + 1 + length))
    at += 1 + length
  }
  return calls
}
