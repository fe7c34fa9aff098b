/** Stories of trust.json about what reaches an agent beside the folder's settings: links that open it, and skills. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { eventNames } from '../../src/index.ts'
import { attachFrontMatter } from '../../src/node.ts'
import { example } from '../../src/testing.ts'
import { command, type Story } from './trust-stories-consent.ts'
import { ranAt } from './trust-world.ts'

const mark = (name: string) => `touch "$CLAUDE_PROJECT_DIR/${name}"`

export const agentStories: Readonly<Record<string, Story>> = {
  'trust-051': async (world) => {
    const settings = JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(world.project, 'marker')}` }] }] } })
    const link = `hookline://open?settings=${encodeURIComponent(settings)}`
    // As the word that a system hands over, as the session's data, and as text of every event.
    expect(command(world, [link, '--trust']).code).toBe(64)
    expect(command(world, ['fire', link, '--trust']).code).toBe(64)
    expect(command(world, ['fire', 'SessionStart', '--trust', '--set', `source=${link}`, '--set', `session_title=${settings}`]).code).toBe(0)
    const hookline = await world.open({ trust: 'implicit' })
    for (const event of eventNames.filter((name) => name !== 'PostSampling')) {
      const fields = Object.fromEntries(Object.keys(example(event)).map((key) => [key, link]))
      expect((await hookline.fire(event, { ...example(event), ...fields, hook_event_name: event, settings } as never)).hooks).toEqual([])
    }
    expect(world.has('project/marker')).toBe(false)
  },
  'trust-052': async (world) => {
    const skill = world.write(
      'project/.claude/skills/fmt/SKILL.md',
      `---\nname: fmt\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(mark('marker'))}\n---\nFormat.\n`,
    )
    for (const options of [{}, { trust: 'ask' as const }]) {
      const hookline = await world.open(options)
      await attachFrontMatter(hookline, skill)
      expect(hookline.explain('PreToolUse', example('PreToolUse')).hooks).toMatchObject([{ status: 'skipped', skipped: { why: 'untrusted' } }])
      expect(await ranAt(hookline, 'PreToolUse')).toEqual([])
    }
    expect(world.has('project/marker')).toBe(false)
  },
}
