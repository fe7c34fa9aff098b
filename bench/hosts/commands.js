/** Command hooks in Hookline and by plain `spawn`, in one process. */
import { createHookline } from 'hookline/node'
import { commands, fireAll, plainSpawn, quietCommand, settingsOf, sleepingCommand } from './subject.js'

export async function open() {
  const make = (list) => createHookline({ sources: [], settings: [settingsOf(list)] })
  const one = await make([quietCommand()])
  const twenty = await make(commands(quietCommand, 20))
  const [sleepOne, sleepFive, sleepTwenty] = await Promise.all([1, 5, 20].map((count) => make(commands(sleepingCommand, count))))
  const watched = await make([quietCommand()])
  watched.trace.subscribe(() => {})
  const plain = (make, count) => () => Promise.all(commands(make, count).map((command) => plainSpawn(command)))
  return {
    one: () => fireAll(one, 1),
    twenty: () => fireAll(twenty, 20),
    'sleep one': () => fireAll(sleepOne, 1),
    'sleep five': () => fireAll(sleepFive, 5),
    'sleep twenty': () => fireAll(sleepTwenty, 20),
    watched: () => fireAll(watched, 1),
    'plain one': plain(quietCommand, 1),
    'plain twenty': plain(quietCommand, 20),
    'plain sleep one': plain(sleepingCommand, 1),
    'plain sleep five': plain(sleepingCommand, 5),
  }
}
