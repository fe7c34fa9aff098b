/** A host that fires events and writes down, outside of its log, each decision it was handed; it is killed at some moment. */
import { openSync, writeSync } from 'node:fs'
import { example } from 'hookline/testing'
import { bashInput, createWorld } from '../world.js'

const { root, acknowledged, word, sandbox, sessionId } = JSON.parse(process.argv[2])
const said = openSync(acknowledged, 'a')
const world = createWorld({ root })
const leave = `env -i /usr/bin/setsid /bin/sleep ${word} >/dev/null 2>&1 </dev/null & sleep ${word} & sleep 0.0$(($$ % 10)); echo no >&2; exit 2`
world.write('.claude/settings.json', {
  hooks: {
    PreToolUse: [{ hooks: [{ type: 'command', command: leave, timeout: 30, ...(sandbox === undefined ? {} : { sandbox }) }] }],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 2', ...(sandbox === undefined ? {} : { sandbox }) }] }],
  },
})
const h = await world.open({ sessionId, audit: { path: `${root}/log`, sync: 'decision' } })
h.on('UserPromptExpansion', () => ({ block: 'no' }))
let told = false
const fire = async (...moments) => {
  for (;;) {
    for (const [event, input] of moments) {
      const { callId, blocked } = await h.fire(event, input)
      if (blocked) writeSync(said, `${callId}\n`)
      if (!told) process.send('begun')
      told = true
    }
  }
}
// One makes records as fast as it can, the other runs hooks.
await Promise.all([fire(['UserPromptExpansion', example('UserPromptExpansion')]), fire(['PreToolUse', bashInput()], ['UserPromptSubmit', { prompt: 'x' }])])
