/** A person who is away: a question that nobody answers fires Notification and PermissionRequest, in a real terminal. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { folderWith } from '../folder.ts'

const program = join(import.meta.dirname, '../../../hookline/bin/hookline.cjs')
const log = { hooks: [{ type: 'command', command: 'cat >> "$CLAUDE_PROJECT_DIR/log.txt"; echo >> "$CLAUDE_PROJECT_DIR/log.txt"' }] }

describe('Notification', () => {
  test('fires with permission_prompt when a question of the terminal stays open', { timeout: 150_000 }, async () => {
    const folder = folderWith({
      'proj/turns.json': JSON.stringify({ modelTurns: [[{ tool: 'Bash', input: { command: 'touch made', description: 'x' } }], 'done'] }),
      'proj/.claude/settings.json': JSON.stringify({ hooks: { Notification: [log], PermissionRequest: [log] } }),
    })
    const name = `hookline-away-${process.pid}`
    const tmux = (...args: string[]) => execFileSync('tmux', ['-L', name, ...args], { encoding: 'utf8' })
    const command = `HOME=${folder}/home XDG_STATE_HOME=${folder}/state '${process.execPath}' '${program}' run --model script:turns.json --trust`
    tmux('-f', '/dev/null', 'new-session', '-d', '-s', 't', '-x', '120', '-y', '40', '-c', join(folder, 'proj'), `${command}; sleep 300`)
    onTestFinished(() => void spawnSync('tmux', ['-L', name, 'kill-server']))
    const shows = (text: string) => vi.waitFor(() => expect(tmux('capture-pane', '-p', '-t', 't')).toContain(text), { timeout: 60_000, interval: 200 })
    const seen = () =>
      (existsSync(join(folder, 'proj/log.txt')) ? readFileSync(join(folder, 'proj/log.txt'), 'utf8') : '')
        .split('\n')
        .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
    await shows('2 hooks')
    tmux('send-keys', '-t', 't', 'go', 'Enter')
    await shows('May Bash run?')
    await vi.waitFor(() => expect(seen().map((input) => input['notification_type'] ?? input['tool_name'])).toEqual(['Bash', 'permission_prompt']), {
      timeout: 60_000,
      interval: 200,
    })
    expect(existsSync(join(folder, 'proj/made'))).toBe(false)
    tmux('send-keys', '-t', 't', 'y', 'Enter')
    await shows('done')
    expect(existsSync(join(folder, 'proj/made'))).toBe(true)
  })
})
