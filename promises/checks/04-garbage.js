/** Promise 4: no garbage, whichever kind of handler it comes from, is ever taken for a yes. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { example } from 'hookline/testing'
import { makeGarbage, makeOddObject, mayBeYes, plainYes, saysYes, yesEvents } from '../garbage.js'
import { count, Tally } from '../result.js'
import { createWorld } from '../world.js'

export const promises = ['command', 'persistent', 'http', 'module', 'callback', 'prompt', 'agent', 'mcp_tool'].map((kind, at) => ({
  id: `4${'abcdefgh'[at]}`,
  words: `never allow from garbage: ${kind} hooks`,
  run: (context) => garbage(kind, context),
}))

const slowest = 1_000

async function garbage(kind, { random, short, tell }) {
  const wanted = { command: 120, persistent: 150, http: 150, module: 300, callback: 1_000, prompt: 300, agent: 150, mcp_tool: 300 }
  const tries = short ? wanted[kind] : 10_000
  const tally = new Tally()
  const world = createWorld()
  const source = await kinds[kind]({ world, random })
  const h = await source.open()
  const asked = source.events ?? yesEvents
  let [longest, honest, ran] = [0, 0, 0]
  // Where an honest yes does not arrive, nothing is proved by what else does not.
  for (const event of source.events === undefined ? asked : []) {
    source.next(event, Buffer.from(plainYes(event)))
    const { permission, elicitation } = await h.fire(event, example(event))
    if (permission?.behavior !== 'allow' && elicitation?.action !== 'accept') tally.fail(`an honest yes to ${event} did not arrive`)
  }
  for (let at = 0; at < tries; at++) {
    const event = asked[at % asked.length]
    const { shown, allowed } = source.next(event)
    const began = performance.now()
    try {
      const verdict = await h.fire(event, example(event))
      const ms = performance.now() - began
      longest = Math.max(longest, ms)
      if (verdict.hooks.some(({ status }) => status === 'ran')) ran++
      const said = verdict.permission?.behavior === 'allow' || verdict.elicitation?.action === 'accept'
      if (said && allowed) honest++
      tally.add(
        said && !allowed
          ? `${event} from ${shown()} was taken for a yes`
          : polluted()
            ? `${shown()} changed Object.prototype`
            : ms > slowest * (short ? 10 : 5)
              ? `${shown()} took ${Math.round(ms)} ms`
              : undefined,
      )
    } catch (error) {
      tally.add(`${event} from ${shown()} threw ${error.stack}`)
    }
    tell(`${at} outputs`)
  }
  await h.close()
  source.close?.()
  if (ran < tries) tally.fail(`only ${ran} hooks ran`)
  return tally.done(`${count(ran)} answers read, slowest ${Math.round(longest)} ms; ${count(honest)} were honest answers after all`)
}

const polluted = () => Object.keys(Object.prototype).length > 0 || {}.permissionDecision !== undefined

const settings = (hook) => ({ hooks: Object.fromEntries(yesEvents.map((event) => [event, [{ hooks: [hook] }]])) })

/** What a model may write when it is asked for a verdict. */
const verdictLike = (random) =>
  random.pick([
    '{"ok":true}',
    '{"ok":true,"reason":"fine"}',
    'ok',
    'true',
    '{"ok":"true"}',
    '{"ok":1}',
    '{"OK":true}',
    '{"ok":true}{"ok":false}',
    '[{"ok":true}]',
    '{"ok":null}',
    'Yes. {"ok":true}',
    '```json\n{"ok":true}\n```',
    '{"ok":true,"permissionDecision":"allow"}',
    '',
  ])

/** Bytes, as processes and endpoints send them. */
function bytesFor(random, event, given) {
  const bytes = given ?? makeGarbage(random, event)
  const code = given !== undefined ? 0 : random.chance(0.2) ? random.pick([1, 3, 127, 255]) : 0
  return { bytes, code, found: { shown: () => `${JSON.stringify(bytes.toString('latin1'))} with code ${code}`, allowed: code === 0 && mayBeYes(bytes, event) } }
}

const kinds = {
  async command({ world, random }) {
    const place = join(world.project, 'out')
    world.write('.claude/settings.json', settings({ type: 'command', command: 'cat out; exit "$(cat code)"', timeout: 20 }))
    return {
      open: () => world.open(),
      next(event, given) {
        const { bytes, code, found } = bytesFor(random, event, given)
        writeFileSync(place, bytes)
        writeFileSync(join(world.project, 'code'), String(code))
        return found
      },
    }
  },
  async persistent({ world, random }) {
    // Every input is answered by the line that lies there; a line is all that a persistent process can send.
    world.write(
      'answer.mjs',
      `import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) process.stdout.write(Buffer.concat([readFileSync('out'), Buffer.from('\\n')]))\n`,
    )
    world.write('out', '{}')
    world.write('.claude/settings.json', settings({ type: 'command', command: `exec '${process.execPath}' answer.mjs`, persistent: true, timeout: 20 }))
    return {
      open: () => world.open(),
      next(event, given) {
        const { bytes } = bytesFor(random, event, given)
        // An empty line is no answer: the process is waited for.
        const whole = Buffer.from(bytes.filter((byte) => byte !== 10))
        const line = Object.assign(whole.toString('latin1').trim() === '' ? Buffer.from('{}') : whole, { contradicts: bytes.contradicts })
        writeFileSync(join(world.project, 'out'), line)
        return { shown: () => JSON.stringify(line.toString('latin1')), allowed: mayBeYes(line, event) }
      },
    }
  },
  async http({ world, random }) {
    let reply
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(reply.status, { 'content-type': reply.type })
      response.end(reply.bytes)
    })
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
    const origin = `http://127.0.0.1:${server.address().port}`
    world.write('.claude/settings.json', settings({ type: 'http', url: `${origin}/`, timeout: 20 }))
    return {
      open: () => world.open({ managed: { allowedHttpOrigins: [origin] } }),
      next(event, given) {
        const bytes = given ?? makeGarbage(random, event)
        const status = given !== undefined ? 200 : random.chance(0.2) ? random.pick([204, 301, 400, 404, 500, 503]) : 200
        reply = { bytes, status, type: random.pick(['application/json', 'text/plain', 'text/html']) }
        return { shown: () => `${JSON.stringify(bytes.toString('latin1'))} with status ${status}`, allowed: status === 200 && mayBeYes(bytes, event) }
      },
      close() {
        server.closeAllConnections()
        server.close()
      },
    }
  },
  async module({ world, random }) {
    world.write(
      'hook.mjs',
      `import { readFileSync } from 'node:fs'\nexport default () => { const text = readFileSync(${JSON.stringify(join(world.project, 'out'))}, 'utf8'); try { return JSON.parse(text) } catch { return text } }\n`,
    )
    world.write('out', '{}')
    world.write('.claude/settings.json', settings({ type: 'module', path: './hook.mjs', timeout: 20 }))
    const place = join(world.project, 'out')
    return {
      open: () => world.open(),
      next(event, given) {
        const value = random.chance(0.5) ? makeOddObject(random, event) : undefined
        const bytes = given ?? (value === undefined ? makeGarbage(random, event) : Buffer.from(JSON.stringify(value) ?? 'null'))
        writeFileSync(place, bytes)
        let got
        try {
          got = JSON.parse(bytes.toString('utf8'))
        } catch {
          got = bytes.toString('utf8')
        }
        return { shown: () => JSON.stringify(bytes.toString('latin1')), allowed: saysYes(got, event) }
      },
    }
  },
  async prompt({ world, random }) {
    let text
    world.write('.claude/settings.json', settings({ type: 'prompt', prompt: 'Is this safe? $ARGUMENTS', timeout: 20 }))
    return {
      events: ['PreToolUse', 'PermissionRequest'],
      open: () => world.open({ model: async () => ({ text, finish: 'stop' }) }),
      next(event) {
        // Whatever a judge says, its yes is no permission.
        text = random.chance(0.3) ? verdictLike(random) : makeGarbage(random, event).toString()
        return { shown: () => JSON.stringify(text), allowed: false }
      },
    }
  },
  async agent({ world, random }) {
    let reply
    world.write('.claude/settings.json', settings({ type: 'agent', prompt: 'Find out whether this is safe. $ARGUMENTS', timeout: 20 }))
    return {
      events: ['PreToolUse'],
      open: () => world.open({ model: async () => reply() }),
      next(event) {
        const text = random.chance(0.5) ? verdictLike(random) : makeGarbage(random, event).toString()
        const input = makeOddObject(random, event)
        // The first answers call tools with odd input; in the end there is only text.
        let calls = random.int(4)
        reply = () =>
          calls-- > 0
            ? { text, toolCalls: [{ id: `c${calls}`, name: random.pick(['StructuredOutput', 'Read', 'nothing', '']), input }], finish: 'tool-calls' }
            : { text, finish: 'stop' }
        return { shown: () => `${JSON.stringify(text)} and ${JSON.stringify(input)}`, allowed: false }
      },
    }
  },
  async mcp_tool({ world, random }) {
    let content
    world.write('.claude/settings.json', settings({ type: 'mcp_tool', server: 'judge', tool: 'look', timeout: 20 }))
    return {
      open: () => world.open({ mcp: { servers: () => ['judge'], callTool: async () => content } }),
      next(event, given) {
        const bytes = given ?? makeGarbage(random, event)
        const text = bytes.toString()
        content =
          given === undefined && random.chance(0.1)
            ? random.pick([
                null,
                {},
                { content: text },
                { content: [null, { type: 'text', text: 1 }] },
                { content: [{ type: 'image', text }] },
                { content: [{ type: 'text', text }], isError: true },
              ])
            : { content: [{ type: 'text', text }] }
        const whole = content?.isError !== true && content?.content?.[0]?.text === text && content.content[0].type === 'text'
        return { shown: () => JSON.stringify(content), allowed: whole && mayBeYes(Object.assign(Buffer.from(text), { contradicts: bytes.contradicts }), event) }
      },
    }
  },
  async callback({ world, random }) {
    let saying
    return {
      async open() {
        const h = await world.open()
        for (const event of yesEvents) h.on(event, () => saying)
        return h
      },
      next(event, given) {
        saying = given !== undefined ? JSON.parse(given) : random.chance(0.7) ? makeOddObject(random, event) : makeGarbage(random, event).toString()
        return { shown: () => JSON.stringify(saying) ?? String(saying), allowed: saysYes(saying, event) }
      },
    }
  },
}
