/** A person who is away: what nobody answers or types fires Notification, in a real terminal. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { terminal } from '../faces/tmux.ts'
import { folderWith } from '../folder.ts'

const log = { hooks: [{ type: 'command', command: 'cat >> "$CLAUDE_PROJECT_DIR/log.txt"; echo >> "$CLAUDE_PROJECT_DIR/log.txt"' }] }

function stage(events: readonly string[]) {
  const folder = folderWith({
    'proj/turns.json': JSON.stringify({ modelTurns: [[{ tool: 'Bash', input: { command: 'touch made', description: 'x' } }], 'done'] }),
    'proj/.claude/settings.json': JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, [log]])) }),
  })
  const file = join(folder, 'proj/log.txt')
  const seen = () =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
  return { folder, seen, ...terminal(folder, ['--model', 'script:turns.json', '--trust']) }
}

describe.concurrent('Notification', () => {
  test('fires with permission_prompt when a question of the terminal stays open', { timeout: 150_000 }, async () => {
    const { folder, seen, shows, type } = stage(['Notification', 'PermissionRequest'])
    await shows('2 hooks')
    type('go', 'Enter')
    await shows('May Bash run?')
    await vi.waitFor(() => expect(seen().map((input) => input['notification_type'] ?? input['tool_name'])).toEqual(['Bash', 'permission_prompt']), {
      timeout: 60_000,
      interval: 200,
    })
    expect(existsSync(join(folder, 'proj/made'))).toBe(false)
    type('y', 'Enter')
    await shows('done')
    expect(existsSync(join(folder, 'proj/made'))).toBe(true)
  })

  test('fires with idle_prompt when nobody has typed for a minute, and once', { timeout: 240_000 }, async () => {
    const { seen, shows, type } = stage(['Notification', 'SessionStart', 'UserPromptSubmit'])
    await shows('3 hooks')
    await vi.waitFor(() => expect(seen().map((input) => input['notification_type'] ?? input['source'])).toEqual(['startup', 'idle_prompt']), {
      timeout: 150_000,
      interval: 500,
    })
    expect(seen()[1]).toMatchObject({ message: 'The agent waits for your input' })
    type('/status', 'Enter')
    await shows('session ')
    expect(seen()).toHaveLength(2)
  })
})
