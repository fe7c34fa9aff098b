/** A home and a project of their own, in a folder that is taken away afterwards. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createHookline } from 'hookline/node'

const made = []
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

/** A folder that is gone when this process ends. */
export function scratch(name = 'work') {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `hookline-promise-${name}-`)))
  made.push(folder)
  return folder
}

/** Makes a world in a folder: `files` by name, below the project, or below the home with `~/`. */
export function createWorld({ files = {}, root = scratch('world') } = {}) {
  const [home, project, state] = [join(root, 'home'), join(root, 'project'), join(root, 'state')]
  const world = {
    root,
    home,
    project,
    state,
    env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(home, '.config') },
    write(name, content) {
      const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(project, name)
      mkdirSync(dirname(path), { recursive: true })
      const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)
      writeFileSync(path, text)
      if (text.slice(0, 2).toString() === '#!') chmodSync(path, 0o755)
      return path
    },
    has: (name) => existsSync(join(project, name)),
    text: (name) => readFileSync(join(project, name), 'utf8'),
    /** Opens a Hookline as a program does that vouches for the folder; the machine's own policy is left out. */
    open: (options = {}) =>
      createHookline({
        cwd: project,
        trust: 'implicit',
        sources: ['builtin', 'plugin', 'user', 'project', 'local', 'session'],
        ...options,
        env: { ...world.env, ...options.env },
      }),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
  for (const folder of [home, project, state]) mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) world.write(name, content)
  return world
}

/** Settings with one group of hooks per event. */
export const hooksFor = (byEvent, more = {}) => ({
  ...more,
  hooks: Object.fromEntries(Object.entries(byEvent).map(([event, hooks]) => [event, [{ hooks: [hooks].flat() }]])),
})

/** One call of the Bash tool, as `fire` and `permit` take it. */
export const bashInput = (command = 'ls') => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' })
