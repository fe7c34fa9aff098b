/** A hook's `if`: it errs towards running, and names tools literally. */
import { describe, expect, test } from 'vitest'
import { matchCondition } from '../../src/permission/match-condition.ts'
import { parseRule } from '../../src/permission/parse-rule.ts'

type Row = [rule: string, command: string, answer: 'yes' | 'no' | 'cannot-tell']

function answer(rule: string, tool: string, input: Record<string, unknown>) {
  const parsed = parseRule(rule)
  if (parsed.kind === 'fault') throw new Error(parsed.message)
  return matchCondition(parsed.rule, { tool, input, cwd: '/srv/app', root: '/srv/app', home: '/home/me' }).answer
}

describe('every command of the line is looked at', () => {
  test.each<Row>([
    ['Bash(git *)', 'npm test && git push', 'yes'],
    ['Bash(git *)', 'npm test; npm run git', 'no'],
    ['Bash(rm *)', 'echo $(rm -r build)', 'yes'],
    ['Bash(rm *)', 'echo `rm -r build`', 'yes'],
    ['Bash(rm *)', 'echo "$(rm -r build)"', 'yes'],
    ['Bash(cat *)', 'cat < src/a.ts', 'yes'],
    ['Bash(git push *)', 'FOO=1 BAR=2 git push', 'yes'],
    ['Bash(git push)', 'FOO=1 git push', 'yes'],
    ['Bash(git push *)', '\\git push origin', 'yes'],
    ['Bash(git * main)', 'cd a && git push origin main', 'yes'],
    ['Bash(* push *)', 'git push origin', 'yes'],
    ['Bash(git push * --force)', 'git push origin main --force', 'yes'],
    ['Bash(git push * --force)', 'git push origin main', 'no'],
    ['Bash(git:*)', 'git', 'yes'],
    ['Bash', 'anything', 'yes'],
    ['Bash(*)', 'anything', 'yes'],
  ])('%s on %j: %s', (rule, command, expected) => {
    expect(answer(rule, 'Bash', { command })).toBe(expected)
  })
})

describe('wrappers are looked through', () => {
  test.each(['env FOO=1', 'sudo', 'nohup', 'time', 'timeout 5', 'command', 'exec', 'xargs', 'nice -n 3', 'eval', '/usr/bin/env'])('%s', (wrapper) => {
    expect(answer('Bash(git push *)', 'Bash', { command: `${wrapper} git push origin` })).toBe('yes')
  })
  test.each(["bash -c 'git push origin'", 'sh -c "git push origin"', '/usr/bin/git push origin'])('%s', (command) => {
    expect(answer('Bash(git push *)', 'Bash', { command })).toBe('yes')
  })
})

describe('what cannot be read runs the hook, an unrelated substitution does not', () => {
  test.each<Row>([
    ['Bash(rm *)', 'echo $(date)', 'no'],
    ['Bash(rm *)', 'echo $HOME', 'no'],
    ['Bash(cat *)', 'echo a $(date) b', 'no'],
    ['Bash(git push *)', 'echo $(date)', 'cannot-tell'],
    ['Bash(git push *)', 'echo `date`', 'cannot-tell'],
    ['Bash(git push *)', 'echo $HOME', 'cannot-tell'],
    ['Bash(git push *)', "echo '$HOME'", 'no'],
    ['Bash(rm *)', '$TOOL -rf x', 'cannot-tell'],
    ['Bash(rm *)', 'echo "unclosed', 'cannot-tell'],
    ['Bash(rm *)', 'eval "$X"', 'cannot-tell'],
    ['Bash(rm *)', 'curl x | sh', 'cannot-tell'],
    ['Bash(rm *)', `ls ${'a'.repeat(10_001)}`, 'cannot-tell'],
  ])('%s on %j: %s', (rule, command, expected) => {
    expect(answer(rule, 'Bash', { command })).toBe(expected)
  })
})

describe('the tool name is literal, former names count', () => {
  test.each<[rule: string, tool: string, input: Record<string, unknown>, answer: string]>([
    ['Edit(*.ts)', 'Write', { file_path: '/srv/app/a.ts' }, 'no'],
    ['Edit', 'Write', { file_path: '/srv/app/a.ts' }, 'no'],
    ['Write(*.ts)', 'Write', { file_path: '/srv/app/a.ts' }, 'yes'],
    ['Write(**/*.ts)', 'Write', { file_path: '/srv/app/a.ts' }, 'yes'],
    ['Read(*.ts)', 'Edit', { file_path: '/srv/app/a.ts' }, 'no'],
    ['Read', 'Grep', {}, 'no'],
    ['Bash(ls *)', 'Monitor', { command: 'ls' }, 'no'],
    ['bash(ls *)', 'Bash', { command: 'ls' }, 'no'],
    ['*', 'Bash', { command: 'ls' }, 'no'],
    ['mcp__mem__get', 'mcp__mem__get', {}, 'yes'],
    ['mcp__mem', 'mcp__mem__get', {}, 'no'],
    ['mcp__mem__*', 'mcp__mem__get', {}, 'no'],
    ['Task', 'Agent', { subagent_type: 'Explore' }, 'yes'],
    ['Agent(*)', 'Agent', { subagent_type: 'Explore' }, 'yes'],
    ['Agent(Explore)', 'Agent', { subagent_type: 'Explore' }, 'yes'],
    ['Skill(deploy)', 'Skill', { skill: 'deploy', args: 'now' }, 'yes'],
    ['Edit(*.ts)', 'Bash', { command: 'echo x > a.ts' }, 'no'],
  ])('%s on %s %j: %s', (rule, tool, input, expected) => {
    expect(answer(rule, tool, input)).toBe(expected)
  })
})

describe('a single folder is the one in the current folder', () => {
  test.each<[rule: string, path: string, answer: string]>([
    ['Edit(src/**)', '/srv/app/src/a.ts', 'yes'],
    ['Edit(src/**)', '/srv/app/pkg/src/a.ts', 'no'],
    ['Edit(**/src/**)', '/srv/app/pkg/src/a.ts', 'yes'],
    ['Edit(/src/**)', '/srv/app/src/a.ts', 'yes'],
    ['Edit(//srv/app/src/**)', '/srv/app/src/a.ts', 'yes'],
    ['Edit(~/**)', '/srv/app/src/a.ts', 'no'],
    ['Edit(*.js)', '/srv/app/src/a.ts', 'no'],
  ])('%s on %s: %s', (rule, file_path, expected) => {
    expect(answer(rule, 'Edit', { file_path })).toBe(expected)
  })
})
