/** The same JavaScript hook three ways: a Node process per event, one that stays, and a module in a worker. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'
import { fireAll, fireMany, plainSpawn } from './subject.js'

const script = `process.stdin.setEncoding('utf8')
let text = ''
process.stdin.on('data', (chunk) => { text += chunk })
process.stdin.on('end', () => { JSON.parse(text); console.log('{"continue":true}') })
`
const stays = `let text = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  text += chunk
  for (let end = text.indexOf('\\n'); end !== -1; end = text.indexOf('\\n')) {
    JSON.parse(text.slice(0, end))
    text = text.slice(end + 1)
    process.stdout.write('{"continue":true}\\n')
  }
})
`
const module = 'export default () => ({})\n'

export async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = (name, text) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const make = (hook) => createHookline({ sources: [], settings: [{ hooks: { PreToolUse: [{ hooks: [hook] }] } }] })
  const scriptFile = file('script.cjs', script)
  const command = `"${process.execPath}" "${scriptFile}"`
  const each = await make({ type: 'command', command })
  const persistent = await make({ type: 'command', command: process.execPath, args: [file('stays.cjs', stays)], persistent: true })
  const inWorker = await make({ type: 'module', path: file('hook.mjs', module) })
  return {
    script: () => fireAll(each, 1),
    'plain script': () => plainSpawn(command),
    persistent: fireMany(persistent),
    module: fireMany(inWorker),
  }
}
