/** B4–B8: command hooks in hosts of 75 MB, 500 MB and 2 GB, over a floor in C and over plain `spawn`. */
import { startFloor } from '../floor.js'
import { payload, quietCommand, sleepingCommand } from '../hosts/subject.js'
import { goAround, startHost } from '../hosts.js'
import { row, spread } from '../measure.js'

export const title = 'B4–B8 command hooks'
export const ids = ['b04', 'b05', 'b06', 'b07', 'b08']

export async function run({ peers, quick, budgetMs }) {
  const floor = startFloor(payload)
  const hosts = {}
  try {
    const wanted = [
      { name: '0', kind: 'commands', ballastMb: 0 },
      { name: '500', kind: 'commands', ballastMb: 500 },
      { name: '2000', kind: 'commands', ballastMb: 2_000 },
      { name: 'gemini 0', kind: 'gemini', ballastMb: 0 },
      { name: 'gemini 500', kind: 'gemini', ballastMb: 500 },
    ].filter(({ kind }) => kind !== 'gemini' || peers.gemini !== undefined)
    // Filling their memory takes seconds, so they do it side by side.
    await Promise.all(
      wanted.map(async ({ name, kind, ballastMb }) => {
        hosts[name] = await startHost(kind, { ballastMb, longestMs: kind === 'gemini' ? 45_000 : undefined })
      }),
    )
    return rowsOf(await goAround(subjects(hosts, { floor, quick }), { rounds: quick ? 2 : 15, fewest: quick ? 2 : 3, budgetMs: budgetMs(14_000) }))
  } finally {
    floor?.stop()
    await Promise.all(Object.values(hosts).map((host) => host.stop()))
  }
}

/** What is measured where, and how often per round; a fork of a large host takes long, so there are fewer of it. */
function subjects(hosts, { floor, quick }) {
  const list = []
  const add = (host, subject, most) => {
    const count = quick ? Math.ceil(most / 4) : most
    if (hosts[host] !== undefined) list.push({ name: `${subject} @${host}`, measure: () => hosts[host].ask(subject, count), peer: host.startsWith('gemini') })
  }
  // What the machine allows, also for many at once: so many shells on the cores that are there.
  const addFloor = (name, command, count, width) => {
    if (floor !== undefined) list.push({ name, measure: () => floor.ask(command, count, width) })
  }
  addFloor('floor', quietCommand(), quick ? 5 : 20, 1)
  addFloor('floor twenty', quietCommand(), quick ? 1 : 4, 20)
  addFloor('floor sleep one', sleepingCommand(), 1, 1)
  addFloor('floor sleep five', sleepingCommand(), 1, 5)
  addFloor('floor sleep twenty', sleepingCommand(), 1, 20)
  for (const host of ['0', '500', '2000']) {
    add(host, 'one', 20)
    add(host, 'plain one', host === '2000' ? 2 : host === '500' ? 5 : 20)
  }
  add('0', 'watched', 20)
  add('gemini 0', 'one', 10)
  add('gemini 500', 'one', 3)
  for (const host of ['0', '500']) {
    add(host, 'twenty', 4)
    add(host, 'plain twenty', host === '500' ? 1 : 3)
    add(`gemini ${host}`, 'twenty', 1)
  }
  for (const subject of ['sleep one', 'sleep five', 'sleep twenty', 'plain sleep one', 'plain sleep five']) add('500', subject, 1)
  add('gemini 500', 'sleep one', 1)
  add('gemini 500', 'sleep five', 1)
  return list
}

function rowsOf(found) {
  const ratio = (subject, base, figure = 'wall') => {
    if (found[subject] === undefined || found[base] === undefined) return undefined
    return spread(found[subject].map((one, round) => one[figure] / found[base][round][figure]))
  }
  const rows = []
  const add = (id, what, figure, bounds) => {
    if (figure !== undefined) rows.push(row(id, what, figure, bounds))
  }
  const hosts = [
    ['0', 'a small host'],
    ['500', 'a 500 MB host'],
    ['2000', 'a 2 GB host'],
  ]
  for (const [host, where] of hosts)
    add('B4', `one command hook ÷ posix_spawn in C, ${where}`, ratio(`one @${host}`, 'floor'), { atMost: host === '0' ? 3 : 2.5 })
  if (found.floor === undefined) rows.push({ id: 'B4', what: 'one command hook ÷ posix_spawn in C', note: 'NOT RUN: no C compiler ("cc")' })
  for (const [host, where] of hosts) add('B4', `one command hook ÷ plain spawn, ${where}`, ratio(`one @${host}`, `plain one @${host}`))
  for (const [host, where] of hosts.slice(0, 2)) add('B4', `gemini-cli-core ÷ one command hook, ${where}`, ratio(`one @gemini ${host}`, `one @${host}`))
  add('B4', 'one command hook with a trace subscriber ÷ without', ratio('watched @0', 'one @0'))
  add('B5', 'event loop held ÷ by plain spawn, a small host', ratio('one @0', 'plain one @0', 'busy'), { atMost: 0.15 })
  add('B5', 'event loop held ÷ by plain spawn, a 500 MB host', ratio('one @500', 'plain one @500', 'busy'), { atMost: 0.02 })
  add('B6', 'five hooks of 100 ms ÷ one of them, a 500 MB host', ratio('sleep five @500', 'sleep one @500'), { atMost: 1.04 })
  add('B6', 'twenty hooks of 100 ms ÷ one of them, a 500 MB host', ratio('sleep twenty @500', 'sleep one @500'), { atMost: 1.15 })
  add('B6', 'what the machine allows: five ÷ one, posix_spawn in C', ratio('floor sleep five', 'floor sleep one'))
  add('B6', 'what the machine allows: twenty ÷ one, posix_spawn in C', ratio('floor sleep twenty', 'floor sleep one'))
  add('B6', 'the same with plain spawn, five ÷ one', ratio('plain sleep five @500', 'plain sleep one @500'))
  add('B6', 'the same with gemini-cli-core, five ÷ one', ratio('sleep five @gemini 500', 'sleep one @gemini 500'))
  for (const [host, where] of hosts.slice(0, 2)) {
    add('B7', `twenty no-op hooks ÷ plain spawn, ${where}`, ratio(`twenty @${host}`, `plain twenty @${host}`), { atMost: host === '0' ? 0.3 : 0.03 })
    add('B7', `what the machine allows: twenty in C ÷ plain spawn, ${where}`, ratio('floor twenty', `plain twenty @${host}`))
    add('B7', `gemini-cli-core, twenty no-op hooks ÷ ours, ${where}`, ratio(`twenty @gemini ${host}`, `twenty @${host}`))
  }
  add('B8', 'one command hook in a 2 GB host ÷ in a small one', ratio('one @2000', 'one @0'), { atMost: 1.2 })
  add('B8', 'the same with plain spawn', ratio('plain one @2000', 'plain one @0'))
  return rows
}
