/** B11: the command line as a process at an event that no hook is for, over a bare start of Node: with no settings at all, and with some for other calls. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { row, spread } from '../measure.js'

export const title = 'B11 command line'

const bin = fileURLToPath(new URL('../../packages/hookline/bin/hookline.cjs', import.meta.url))
const subjects = {
  bare: ['-e', '0'],
  'no hook': [bin, 'fire', 'Notification', '--set', 'message=x', '--set', 'notification_type=auth_success'],
  'no hook for a tool call': [bin, 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}'],
  'other hooks': [bin, 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}'],
  'other settings': [bin, 'fire', 'PreToolUse', '--tool', 'Read', '--tool-input', '{"file_path":"a.txt"}'],
}
/** Settings that say nothing about the call. */
const others = {
  hooks: {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 0' }] }],
    PostToolUse: [{ matcher: 'Write|Edit', hooks: [{ type: 'command', command: 'npx prettier --check .' }] }],
  },
}

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
  const configured = join(folder, 'configured')
  mkdirSync(join(configured, '.claude'), { recursive: true })
  writeFileSync(join(configured, '.claude/settings.json'), JSON.stringify(others))
  const widely = join(folder, 'widely')
  mkdirSync(join(widely, '.claude'), { recursive: true })
  writeFileSync(join(widely, '.claude/settings.json'), JSON.stringify({ ...others, permissions: { allow: ['Read(~/notes/**)'] } }))
  const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
  try {
    for (let round = 0; round <= (quick ? 6 : 60); round++) {
      for (const [name, args] of Object.entries(subjects)) {
        const home = name === 'other hooks' ? configured : name === 'other settings' ? widely : folder
        const env = { PATH: process.env.PATH, HOME: home }
        const before = process.hrtime.bigint()
        const { status } = spawnSync(process.execPath, args, { cwd: folder, env, stdio: 'ignore' })
        if (status !== 0) throw new Error(`${args.join(' ')} ended with code ${status}`)
        if (round > 0) times[name].push(Number(process.hrtime.bigint() - before))
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const over = (name) => spread(times[name].map((time, round) => time / times.bare[round]))
  return [
    row('B11', '`hookline fire` with no hook ÷ `node -e 0`', over('no hook'), { atMost: 1.1 }),
    row('B11', '`hookline fire` of a tool call with no hook ÷ `node -e 0`', over('no hook for a tool call'), { atMost: 1.1 }),
    row('B11', '`hookline fire` of a tool call that the settings’ hooks do not match ÷ `node -e 0`', over('other hooks'), { atMost: 1.1 }),
    row('B11', 'the same with permission rules in the settings', over('other settings')),
  ]
}
