/** Hooks in the front matter of skills and agents. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFrontMatter } from '../../src/config/front-matter.ts'
import { findFrontMatter } from '../../src/config/front-matter-files.ts'
import { noPolicy } from '../../src/config/policy.ts'
import { createFiles } from '../../src/platform/files.ts'
import { findPlaces } from '../../src/platform/places.ts'

const agent = `---
name: rev
description: reviewer
hooks:
  PreToolUse:
    - matcher: "Bash"
      hooks:
        - type: command
          command: "./check.sh"
          timeout: 5
          once: true
  Stop:
    - hooks:
        - type: command
          command: echo done
---
You are rev.
`

describe('the head of a file', () => {
  test('gives name, description and hooks with their places', () => {
    const { name, description, hooks, diagnostics } = readFrontMatter(agent, '/p/.claude/skills/rev/SKILL.md', { id: 'session:2' })
    expect([name, description, diagnostics]).toEqual(['rev', 'reviewer', []])
    expect(hooks.map(({ info }) => info.id)).toEqual(['session:2:PreToolUse:0:0', 'session:2:Stop:0:0'])
    expect(hooks[0]).toMatchObject({
      once: true,
      timeoutMs: 5_000,
      info: { label: 'check.sh', matcher: 'Bash', source: { kind: 'session', line: 8, column: 11 } },
    })
    expect(Object.isFrozen(hooks[0]?.info)).toBe(true)
  })
  test('of an agent turns its stop into the stop of a subagent', () => {
    expect(readFrontMatter(agent, 'rev.md', { of: 'agent' }).hooks.map(({ event }) => event)).toEqual(['PreToolUse', 'SubagentStop'])
  })
  test('of an agent that names both stops keeps the ids apart', () => {
    const both = agent.replace('---\nYou', '  SubagentStop:\n    - hooks:\n        - type: command\n          command: echo other\n---\nYou')
    expect(readFrontMatter(both, 'rev.md', { of: 'agent' }).hooks.map(({ info }) => info.id)).toEqual([
      'session:1:PreToolUse:0:0',
      'session:1:SubagentStop:0:0',
      'session:1:SubagentStop:1:0',
    ])
  })
  test('of an agent that came with a plugin brings no hooks, and says so', () => {
    const { hooks, diagnostics } = readFrontMatter(agent, 'rev.md', { of: 'agent', fromPlugin: true })
    expect(hooks).toEqual([])
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'policy-entry', line: 5 })])
  })
  test('obeys policy and trust', () => {
    const [hook] = readFrontMatter(agent, 'rev.md', { policy: { ...noPolicy, allowManagedHooksOnly: true }, trust: 'untrusted' }).hooks
    expect(hook).toMatchObject({ fault: { why: 'policy' }, info: { trust: 'untrusted' } })
  })
  test('of two skills with one command makes two hooks', () => {
    const key = (file: string) => readFrontMatter(agent, file).hooks[0]?.dedupKey
    expect(key('/a/SKILL.md')).not.toBe(key('/b/SKILL.md'))
  })

  const quiet: [string, string][] = [
    ['a text without one', '# hello\n---\nhooks: 1\n---\n'],
    ['one without hooks', '---\nname: x\n---\n'],
    ['an empty one', '---\n---\nx'],
    ['an empty text', ''],
  ]
  test.each(quiet)('%s has no hooks and no findings', (_name, text) => {
    expect(readFrontMatter(text, 'x.md')).toMatchObject({ hooks: [], diagnostics: [] })
  })

  const broken: [string, string, string, number | undefined][] = [
    ['that is no YAML', '---\nname: x\nhooks: [\n---\n', 'error invalid-front-matter', 4],
    ['with a key that stands twice', '---\nname: x\nname: y\n---\n', 'error invalid-front-matter', 3],
    ['with an alias', '---\na: &a 1\nhooks: *a\n---\n', 'error invalid-front-matter', 3],
    ['nested without end', `---\nhooks: ${'['.repeat(20_000)}\n---\n`, 'error invalid-front-matter', 1],
    ['with hooks of the wrong shape', '---\nhooks:\n  - Stop\n---\n', 'error hooks-shape', 3],
    ['with CRLF and a mark', '\uFEFF---\r\nhooks:\r\n  Stop:\r\n    - hooks:\r\n        - type: command\r\n---\r\n', 'error missing-field', 5],
  ]
  test.each(broken)('%s is reported', (_name, text, found, line) => {
    const { diagnostics } = readFrontMatter(text, 'x.md')
    expect(`${diagnostics[0]?.severity} ${diagnostics[0]?.code}`).toBe(found)
    expect(diagnostics[0]?.line).toBe(line)
  })
  test('with a key that every object has sets no prototype', () => {
    readFrontMatter('---\nhooks:\n  __proto__:\n    polluted: 1\n---\n', 'x.md')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

test('skills and agents are found in configuration order', async () => {
  const root = mkdtempSync(join(tmpdir(), 'front '))
  try {
    for (const folder of ['home/.claude/skills/a', 'proj/.claude/skills/b', 'proj/.claude/skills/no-skill', 'proj/.claude/agents', 'proj/.hookline/agents'])
      mkdirSync(join(root, folder), { recursive: true })
    for (const file of [
      'home/.claude/skills/a/SKILL.md',
      'proj/.claude/skills/b/SKILL.md',
      'proj/.claude/agents/rev.md',
      'proj/.claude/agents/x.txt',
      'proj/.hookline/agents/own.md',
    ])
      writeFileSync(join(root, file), '')
    const places = findPlaces({ cwd: join(root, 'proj'), env: { HOME: join(root, 'home') } })
    const found = await findFrontMatter(places, createFiles())
    expect(found.map(({ of, name, from }) => `${from} ${of} ${name}`)).toEqual(['user skill a', 'project skill b', 'project agent rev', 'project agent own'])
  } finally {
    rmSync(root, { recursive: true })
  }
})
