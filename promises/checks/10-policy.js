/** Promise 10: where policy says that hooks fail closed, no kind of failure lets a gated step through. */
import { createServer } from 'node:http'
import { eventNames, events } from 'hookline'
import { example } from 'hookline/testing'
import { Tally } from '../result.js'
import { createWorld } from '../world.js'

export const promises = [{ id: '10', words: '12 kinds of failure on each event that can close let nothing through', run: policy }]

const allow = (event) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, permissionDecision: 'allow', decision: { behavior: 'allow' }, action: 'accept' } })
const closable = eventNames.filter((event) => events[event].failClosed === 'can')

/** Kinds by name: a hook that fails like this, and what else its group says. */
const failures = {
  missing: () => ({ type: 'command', command: './hooks/not-there.sh' }),
  'not executable': () => ({ type: 'command', command: './hooks/plain.txt' }),
  'exit 1': ({ said }) => ({ type: 'command', command: `echo '${said}'; exit 1` }),
  'exit 127': () => ({ type: 'command', command: 'no-such-program-here' }),
  signal: ({ said }) => ({ type: 'command', command: `echo '${said}'; kill -9 $$` }),
  timeout: ({ said }) => ({ type: 'command', command: `echo '${said}'; exec sleep 30`, timeout: 0.4 }),
  'spawn error': () => ({ type: 'command', command: '/no/such/program', args: [] }),
  'cut output': ({ said }) => ({ type: 'command', command: `echo '${said}'; head -c 3000000 /dev/zero | tr '\\0' ' '` }),
  'malformed output': () => ({ type: 'command', command: `printf '{"hookSpecificOutput": {"permissionDecision": "allow"'` }),
  'HTTP 500': ({ origin }) => ({ type: 'http', url: `${origin}/hook` }),
  'TLS error': ({ origin }) => ({ type: 'http', url: `${origin.replace('http:', 'https:')}/hook` }),
  'bad matcher': () => ({ type: 'command', command: 'exit 1', matcher: '(' }),
}

async function policy({ short, tell }) {
  const tally = new Tally()
  const server = createServer((request, response) => response.writeHead(500).end(allow(request.headers['x-event'] ?? 'PreToolUse')))
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
  const origin = `http://127.0.0.1:${server.address().port}`
  const perEvent = short ? closable.filter((event) => ['PreToolUse', 'UserPromptSubmit'].includes(event)) : closable
  for (const event of perEvent) {
    for (const [kind, make] of Object.entries(failures)) {
      const { matcher, ...hook } = make({ origin, said: allow(event) })
      const world = createWorld({ files: { 'hooks/plain.txt': 'exit 0\n' } })
      world.write('.claude/settings.json', { hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] } })
      const h = await world.open({ pool: 'off', managed: { requireFailClosed: true, allowedHttpOrigins: [origin, origin.replace('http:', 'https:')] } })
      try {
        const verdict = await h.fire(event, example(event))
        const passed =
          !verdict.blocked ||
          (verdict.permission !== undefined && verdict.permission.behavior !== 'deny') ||
          (verdict.elicitation !== undefined && verdict.elicitation.action !== 'decline')
        tally.add(passed ? `${event}, ${kind}: ${JSON.stringify(verdict.toJSON()).slice(0, 1_500)}` : undefined)
      } catch (error) {
        tally.add(`${event}, ${kind} threw ${error.stack}`)
      } finally {
        await h.close()
        world.remove()
      }
      tell(`${event}, ${kind}`)
    }
  }
  server.closeAllConnections()
  server.close()
  return tally.done(`${perEvent.length} events × ${Object.keys(failures).length} kinds, real processes and a real server`)
}
