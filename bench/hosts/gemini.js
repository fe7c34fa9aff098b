/** The same command hooks in the Gemini CLI's real hook system. */
import { loadGemini } from '../peers.js'
import { call, commands, quietCommand, sleepingCommand } from './subject.js'

export async function open() {
  // Its commands are started by bash with a socket as stdin; one that counts itself as the first shell takes that for a remote login, and would
  // run whatever this machine has in ~/.bashrc before each hook.
  process.env.SHLVL = '2'
  const gemini = await loadGemini()
  const make = (list) => gemini.make({ BeforeTool: [{ hooks: list.map((command) => ({ type: 'command', command })) }] })
  const fire = (system) => async () => {
    if ((await system.fireBeforeToolEvent(call.tool_name, call.tool_input)) === undefined) throw new Error('gemini-cli-core ran no hook')
  }
  const [one, twenty] = [await make([quietCommand()]), await make(commands(quietCommand, 20))]
  const [sleepOne, sleepFive] = [await make([`${sleepingCommand()}\necho '{}'`]), await make(commands((index) => `${sleepingCommand(index)}\necho '{}'`, 5))]
  return { one: fire(one), twenty: fire(twenty), 'sleep one': fire(sleepOne), 'sleep five': fire(sleepFive) }
}
