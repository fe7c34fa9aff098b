/** Hooks of skills and agents: attached when they start, gone when they end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { attachFrontMatter, createHookline, type Hookline } from '../../src/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-front-matter-'))
const open: Hookline[] = []
afterEach(async () => {
  for (const hookline of open.splice(0)) await hookline.close()
  rmSync(folder, { recursive: true, force: true })
})

async function start(trust: 'implicit' | 'pinned' = 'implicit'): Promise<Hookline> {
  const hookline = await createHookline({ sources: [], cwd: folder, trust })
  open.push(hookline)
  return hookline
}

function write(name: string, event: string, command: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'hookline-skill-')), name)
  writeFileSync(file, `---\nname: careful\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: "${command}"\n---\nBe careful.\n`)
  return file
}

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't-1' }

describe('front matter', () => {
  it("a skill's hook guards the session it was invoked in, and no other, until it is taken back", async () => {
    const hookline = await start()
    const session = hookline.session('s-1')
    const undo = await attachFrontMatter(session, write('SKILL.md', 'PreToolUse', 'echo careful >&2; exit 2'))
    expect(undo.diagnostics).toEqual([])
    const verdict = await session.fire('PreToolUse', call)
    expect(verdict).toMatchObject({ blocked: true, reason: 'careful' })
    expect(verdict.hooks[0]?.source.kind).toBe('session')
    expect((await hookline.session('s-2').fire('PreToolUse', call)).blocked).toBe(false)
    undo()
    undo()
    expect((await session.fire('PreToolUse', call)).blocked).toBe(false)
  })

  it("an agent's own stop is the stop of a subagent", async () => {
    const hookline = await start()
    const agent = hookline.agent('a-1', 'Reviewer')
    await attachFrontMatter(agent, write('reviewer.md', 'Stop', 'echo not yet >&2; exit 2'), { of: 'agent' })
    expect(agent.has('Stop')).toBe(false)
    expect(await agent.fire('SubagentStop', {})).toMatchObject({ blocked: true })
  })

  it('says what is wrong with a file, and attaches the rest', async () => {
    const hookline = await start()
    const undo = await attachFrontMatter(hookline, write('SKILL.md', 'PreToolUze', 'true'))
    expect(undo.diagnostics).toMatchObject([{ code: 'unknown-event' }])
    await expect(attachFrontMatter(hookline, join(folder, 'nowhere.md'))).rejects.toMatchObject({ code: 'invalid-option' })
  })
})
