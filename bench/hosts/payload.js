/** An event of 10 MB for one hook and for twenty, each of which reads all of it. */
import { readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { createHookline } from 'hookline/node'
import { commands, fireAll, plainSpawn, settingsOf } from './subject.js'

// Read for real: a program that counts may only ask for the size.
const reads = (index = 0) => `cat >/dev/null # ${index}`
const large = {
  tool_name: 'Write',
  tool_input: { file_path: 'large.txt', content: 'some text of a line, and more of it.\n'.repeat(280_000) },
  tool_use_id: 't-1',
}

export async function open() {
  const make = (count) => createHookline({ sources: [], settings: [settingsOf(commands(reads, count))] })
  const [one, twenty] = [await make(1), await make(20)]
  return {
    one: () => watchingMemory(() => fireAll(one, 1, large)),
    twenty: () => watchingMemory(() => fireAll(twenty, 20, large)),
    // What most engines do: the event written down for each hook.
    'plain twenty': () => watchingMemory(() => Promise.all(commands(reads, 20).map((command) => plainSpawn(command, JSON.stringify(large))))),
  }
}

/** The most memory this process held while `run` went on, shared files in memory included, in MB. */
async function watchingMemory(run) {
  writeFileSync('/proc/self/clear_refs', '5')
  const shared = sharedMb()
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, sharedMb() - shared)
  }, 5)
  await run()
  clearInterval(timer)
  const resident = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1]) / 1024
  return { memory: resident + most }
}

function sharedMb() {
  const { blocks, bfree, bsize } = statfsSync('/dev/shm')
  return ((blocks - bfree) * bsize) / 1_048_576
}
