/**
 * A host that goes through a small story again and again: settings and policy are loaded, trust is read and given, hooks run as a process and over
 * http, every decision is recorded. Each time one other call to the system fails. The functions of `node:fs`, `node:child_process` and
 * `node:net` are replaced before the engine is loaded; nothing of the engine is.
 */
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { join } from 'node:path'
import { randomFrom } from '../random.js'

const { root, seed, pool, sample } = JSON.parse(process.argv[2])
const random = randomFrom(seed)

/** Which call fails, with what; calls are counted from the moment the story begins. */
const plan = { armed: false, calls: [], failAt: -1, code: '', hit: undefined }
const codesFor = (name) =>
  name === 'spawn'
    ? ['EAGAIN', 'EMFILE', 'EACCES', 'ENOMEM']
    : name === 'connect'
      ? ['EMFILE', 'EPIPE', 'EACCES', 'ECONNREFUSED']
      : /^(?:write|mkdir|rename|symlink|ftruncate|fsync|fdatasync|append|copy)/.test(name)
        ? ['ENOSPC', 'EIO', 'EACCES']
        : /^(?:open|readdir|mkdtemp)/.test(name)
          ? ['EMFILE', 'EIO', 'EACCES']
          : ['EIO', 'EACCES']

/** The error to throw when it is this call's turn. Modules that are loaded late are no business of ours. */
function fault(name, args) {
  if (!plan.armed || (typeof args[0] === 'string' && /\/(?:dist|node_modules)\//.test(args[0]))) return undefined
  const at = plan.calls.push(name) - 1
  if (at !== plan.failAt) return undefined
  plan.hit = `${name}(${typeof args[0] === 'string' ? args[0].replaceAll(root, '…') : ''}) ${plan.code}`
  return Object.assign(new Error(`${plan.code}: injected, ${name}`), {
    code: plan.code,
    syscall: name,
    errno: -5,
    ...(typeof args[0] === 'string' ? { path: args[0] } : {}),
  })
}

const names =
  'open close read write readFile writeFile appendFile stat lstat fstat mkdir readdir rename unlink rm symlink link readlink realpath chmod copyFile ftruncate fsync fdatasync mkdtemp access utimes opendir'.split(
    ' ',
  )
for (const name of names) {
  patch(fs, `${name}Sync`, (inner, named) => (...args) => {
    const error = fault(named, args)
    if (error === undefined) return inner(...args)
    // The system closes even when it complains.
    if (name === 'close') inner(...args)
    throw error
  })
  patch(fs, name, (inner, named) => (...args) => {
    const error = fault(named, args)
    const done = args.at(-1)
    if (error === undefined || typeof done !== 'function') return inner(...args)
    if (name === 'close') inner(args[0], () => {})
    setImmediate(() => done(error))
  })
  patch(fs.promises, name, (inner, named) => async (...args) => {
    const error = fault(named, args)
    if (error !== undefined) throw error
    return inner(...args)
  })
}
patch(childProcess, 'spawn', (inner) => (...args) => {
  const error = fault('spawn', args)
  if (error === undefined) return inner(...args)
  if (error.code === 'EMFILE') throw error
  // As Node does it: an object without a number, and an event.
  const child = Object.assign(new EventEmitter(), {
    pid: undefined,
    stdin: null,
    stdout: null,
    stderr: null,
    stdio: [],
    exitCode: null,
    signalCode: null,
    kill: () => false,
    unref: () => {},
    ref: () => {},
    disconnect: () => {},
  })
  setImmediate(() => child.emit('error', error))
  return child
})
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (...args) {
  const error = fault('connect', [])
  if (error === undefined) return connect.apply(this, args)
  setImmediate(() => this.destroy(error))
  return this
}
syncBuiltinESMExports()

function patch(object, name, around) {
  const inner = object[name]
  if (typeof inner === 'function') object[name] = Object.assign(around(inner, name), inner)
}

const { createWorld } = await import('../world.js')
const { verifyAuditLog } = await import('hookline/node')
const server = createServer((request, response) => {
  request.resume()
  response.end('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}')
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${server.address().port}`

const problems = []
let story = 0
let crashed
process.on('uncaughtException', (error) => {
  crashed = error
})

const call = (command, id) => ({ name: 'Bash', input: { command }, id })
/** Who guards: a process, an endpoint, or both; one of them alone must hold, too. */
const guards = {
  process: { type: 'command', command: 'echo no >&2; exit 2', onFailure: 'block', timeout: 20 },
  endpoint: { type: 'http', url: `${origin}/`, onFailure: 'block', timeout: 20 },
}

async function prepare(kind) {
  const world = createWorld({ root: join(root, String(++story)) })
  world.write('~/.claude/settings.json', { permissions: { deny: ['Bash(rm *)'] }, hooks: { PreToolUse: [{ hooks: [guards[kind]] }] } })
  world.write('allow.sh', `#!/bin/sh\necho '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'\n`)
  world.write('.claude/settings.json', {
    permissions: { allow: ['Bash(ls *)', 'Bash(rm *)'] },
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: './allow.sh' }] }] },
  })
  const asked = await world.open({ trust: 'pinned', pool: 'off', managed })
  await asked.trust.answer(asked.trust.pending[0].digest, 'always')
  await asked.close()
  return world
}
const managed = { allowedHttpOrigins: [origin] }

/** What may be heard of a story; a fault that opens something without a word is a broken promise. */
async function live(world) {
  const heard = []
  const results = []
  let h
  try {
    h = await world.open({ trust: 'pinned', pool, managed, audit: { path: join(world.root, 'log') }, onNotice: ({ code }) => heard.push(code) })
    heard.push(...h.diagnostics.map(({ code }) => code))
    for (const command of ['ls -la', 'rm -rf x']) {
      const permit = await h.permit(call(command, command))
      results.push({ command, behavior: permit.behavior })
      heard.push(...permit.verdict.warnings.map(({ code }) => code))
    }
    await h.trust.revoke(world.project)
    await h.reload()
    const [request] = h.trust.pending
    if (request !== undefined) await h.trust.answer(request.digest, 'always')
    heard.push(...h.diagnostics.map(({ code }) => code))
  } catch (error) {
    // The host hears of it: nothing ran and nothing was permitted.
    heard.push(`threw ${error.code ?? error.message}`)
    if (error.name !== 'HooklineError' && !plan.hit?.includes(error.code)) problems.push(`${plan.hit}: threw ${error.stack}`)
  }
  try {
    await within(h?.close(), 'close')
  } catch (error) {
    problems.push(`${plan.hit}: close threw ${error.stack}`)
  }
  return { heard, results }
}

function within(promise, what) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} is not finished after 60 s`)), 60_000)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function tell(kind, failAt, code) {
  const world = await prepare(kind)
  Object.assign(plan, { armed: true, calls: [], failAt, code, hit: undefined })
  crashed = undefined
  let lived
  try {
    lived = await within(live(world), 'the story')
  } catch (error) {
    problems.push(`${plan.hit}: ${error.message}`)
    lived = { heard: ['late'], results: [] }
  }
  plan.armed = false
  if (crashed !== undefined) problems.push(`${plan.hit}: crashed with ${crashed.stack}`)
  for (const { command, behavior } of lived.results) {
    if (behavior === 'allow') problems.push(`${plan.hit}: ${command} was allowed (heard: ${lived.heard.join(', ')})`)
    else if (behavior !== 'deny' && lived.heard.length === 0) problems.push(`${plan.hit}: ${command} became ${behavior} and nobody was told`)
  }
  await checkStores(world)
  world.remove()
}

/** Afterwards, with nothing failing: the stores can be read, and the guards stand. */
async function checkStores(world) {
  const heard = []
  try {
    for (const { state, problem } of await verifyAuditLog(join(world.root, 'log')))
      if (state !== 'good' && state !== 'torn') problems.push(`${plan.hit}: the audit log is ${state}: ${JSON.stringify(problem)}`)
    const h = await world.open({ trust: 'pinned', pool: 'off', managed, audit: { path: join(world.root, 'log') }, onNotice: ({ code }) => heard.push(code) })
    heard.push(...h.diagnostics.map(({ code }) => code))
    const { behavior } = await h.permit(call('ls', 'after'))
    if (behavior !== 'deny') problems.push(`${plan.hit}: afterwards the guard gives ${behavior}`)
    if (heard.some((code) => /trust.*(?:broken|unreadable)|audit-broken/.test(code))) problems.push(`${plan.hit}: a store is damaged: ${heard.join(', ')}`)
    await h.close()
    for (const { state, problem } of await verifyAuditLog(join(world.root, 'log')))
      if (state !== 'good') problems.push(`${plan.hit}: the audit log stays ${state}: ${JSON.stringify(problem)}`)
  } catch (error) {
    problems.push(`${plan.hit}: afterwards ${error.stack}`)
  }
}

const found = { calls: 0, tries: 0, hits: 0, kinds: {} }
for (const kind of Object.keys(guards)) {
  // Once to get warm, once to count.
  await tell(kind, -1, '')
  await tell(kind, -1, '')
  const calls = [...plan.calls]
  found.calls += calls.length
  for (const name of calls) found.kinds[name] = (found.kinds[name] ?? 0) + 1
  const all = calls.flatMap((name, at) => codesFor(name).map((code) => [at, code]))
  const chosen = sample === undefined ? all : random.shuffle(all).slice(0, sample)
  for (const [at, code] of chosen) {
    await tell(kind, at, code)
    found.tries++
    if (plan.hit !== undefined) found.hits++
    process.send({ progress: `${found.tries} faults, ${problems.length} problems: ${problems.at(-1)?.slice(0, 900) ?? ''}` })
  }
}
server.closeAllConnections()
server.close()
process.send({ ...found, problems }, () => process.exit(0))
