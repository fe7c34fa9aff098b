/** Rules about paths and links on a real disk: forbidden if the link or what it leads to is, permitted only if both are. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Guarded, guarded } from './guarded.ts'

let count = 0
const files = { 'secret/key.txt': 'k', 'public/a.txt': 'a', '~/notes/n.txt': 'n', '~/private/p.txt': 'p' }
/** `public/link.txt` and `public/dir` lead to the secret, `way` leads to what is public, `public/home` to the home. */
async function world(): Promise<Guarded> {
  const h = await guarded({ files })
  symlinkSync('../secret/key.txt', join(h.cwd, 'public/link.txt'))
  symlinkSync('../secret', join(h.cwd, 'public/dir'))
  symlinkSync('../secret/not-there.txt', join(h.cwd, 'public/dangling.txt'))
  symlinkSync('public', join(h.cwd, 'way'))
  symlinkSync(join(h.home, 'private'), join(h.cwd, 'public/home'))
  return h
}
const edit = (path: string) => ({ name: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' }, id: `toolu_${++count}` })
const read = (path: string) => ({ name: 'Read', input: { file_path: path }, id: `toolu_${++count}` })

describe('a deny rule', () => {
  test.each<[rule: string, path: string, behavior: string]>([
    ['Read(secret/**)', 'secret/key.txt', 'deny'],
    ['Read(secret/**)', 'public/link.txt', 'deny'],
    ['Read(secret/**)', 'public/dir/key.txt', 'deny'],
    ['Read(secret/**)', 'public/dir/new.txt', 'deny'],
    ['Read(secret/**)', 'public/dangling.txt', 'deny'],
    ['Read(secret/**)', 'way/dir/key.txt', 'deny'],
    ['Read(secret/**)', 'public/dir/../secret/key.txt', 'deny'],
    ['Read(public/**)', 'way/a.txt', 'deny'],
    ['Read(public/**)', 'public/link.txt', 'deny'],
    ['Read(/secret/**)', 'public/link.txt', 'deny'],
    ['Read(~/private/**)', 'public/home/p.txt', 'deny'],
    ['Read(~/private/**)', 'public/home/new/p.txt', 'deny'],
    ['Read(secret/**)', 'public/a.txt', 'passthrough'],
    ['Read(~/private/**)', 'public/a.txt', 'passthrough'],
  ])('%s of %s: %s', async (rule, path, behavior) => {
    await using h = await world()
    expect((await h.permit(read(path), { rules: { deny: [rule] } })).behavior).toBe(behavior)
  })

  test('says where the path leads', async () => {
    await using h = await world()
    const { reason } = await h.permit(read('public/link.txt'), { rules: { deny: ['Read(secret/**)'] } })
    expect(reason).toContain(`"public/link.txt" leads to "${h.cwd}/secret/key.txt"`)
  })

  test('about edits reaches what a shell command writes through a link', async () => {
    await using h = await world()
    const bash = (command: string) => ({ name: 'Bash', input: { command }, id: `toolu_${++count}` })
    const rules = { deny: ['Edit(secret/**)'] }
    expect((await h.permit(bash('echo x > public/link.txt'), { rules })).behavior).toBe('deny')
    expect((await h.permit(bash('echo x > public/a.txt'), { rules })).behavior).toBe('passthrough')
  })

  test('about a search reaches a folder behind a link', async () => {
    await using h = await world()
    const grep = { name: 'Grep', input: { pattern: 'k', path: 'public/dir' }, id: 'g' }
    expect((await h.permit(grep, { rules: { deny: ['Read(secret/**)'] } })).behavior).toBe('deny')
  })
})

describe('an allow rule', () => {
  test.each<[rules: string[], path: string, behavior: string]>([
    [['Edit(public/**)'], 'public/a.txt', 'allow'],
    [['Edit(public/**)'], 'public/new/b.txt', 'allow'],
    [['Edit(public/**)'], 'public/link.txt', 'deny'],
    [['Edit(public/**)'], 'public/dir/key.txt', 'deny'],
    [['Edit(public/**)'], 'public/dangling.txt', 'deny'],
    [['Edit(public/**)'], 'public/home/p.txt', 'deny'],
    [['Edit(public/**)'], 'way/a.txt', 'deny'],
    [['Edit(way/**)'], 'way/a.txt', 'deny'],
    [['Edit(**)'], 'way/a.txt', 'allow'],
    [['Edit(**)'], 'public/link.txt', 'allow'],
    [['Edit(**)'], 'public/home/p.txt', 'deny'],
    [['Edit(//**)'], 'public/home/p.txt', 'allow'],
  ])('%j of %s: %s', async (allow, path, behavior) => {
    await using h = await world()
    expect((await h.permit(edit(path), { rules: { allow }, mode: 'default' })).behavior).toBe(behavior)
  })

  test('works in a project that is reached through a link itself', async () => {
    await using outer = await world()
    mkdirSync(join(outer.home, 'x'))
    symlinkSync(outer.cwd, join(outer.home, 'x/project'))
    const through = join(outer.home, 'x/project')
    const session = outer.session('linked', { cwd: through } as never)
    const decide = async (path: string, rules: object) => (await session.permit(edit(path), { rules, mode: 'default' })).behavior
    expect(await decide('public/a.txt', { allow: ['Edit(public/**)'] })).toBe('allow')
    expect(await decide(join(outer.cwd, 'public/a.txt'), { deny: ['Edit(public/**)'], allow: ['Edit(//**)'] })).toBe('deny')
    expect(await decide('public/link.txt', { allow: ['Edit(public/**)'] })).toBe('deny')
  })
})

test('a hook with a condition about a path runs for a link that leads there', async () => {
  await using h = await world()
  const ran: string[] = []
  h.on('PreToolUse', { if: 'Edit(secret/**)' }, (input) => void ran.push(String((input.tool_input as { file_path: string }).file_path)))
  for (const path of ['secret/key.txt', 'public/link.txt', 'public/a.txt']) await h.permit(edit(path))
  expect(ran).toEqual(['secret/key.txt', 'public/link.txt'])
})
