/** Which rooms without a network this machine lets us build, and how a program is put into one. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const works = (args) => spawnSync(args[0], args.slice(1), { stdio: 'ignore', timeout: 10_000 }).status === 0

/** Words to put before a command so that it runs without a network, with mounts of its own; `undefined` where the system refuses. */
export function networkless({ mounts = false } = {}) {
  const words = ['unshare', '-Urn', ...(mounts ? ['-m'] : []), '--']
  return works([...words, 'true']) ? words : undefined
}

/** The same, with a network in which every address is this machine, so that whoever connects anywhere reaches our listener; names are asked of 127.0.0.1. */
export function everyAddressIsOurs(folder) {
  const own = { 'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n', hosts: '', 'nsswitch.conf': 'hosts: dns\n' }
  for (const [name, text] of Object.entries(own)) writeFileSync(join(folder, name), text)
  const mounts = Object.keys(own).map((name) => `if [ -e /etc/${name} ]; then mount --bind '${join(folder, name)}' /etc/${name}; fi`)
  const steps = ['ip link set lo up', 'ip route add local 0.0.0.0/0 dev lo', 'ip -6 route add local ::/0 dev lo', ...mounts, 'exec "$@"']
  const words = ['unshare', '-Urnm', '--', 'sh', '-ec', steps.join('\n'), 'sh']
  return works([...words, 'true']) ? words : undefined
}
