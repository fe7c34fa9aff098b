/** What must hold for every command and every set of rules. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeRules, type ListedRule } from '../../src/permission/judge-rules.ts'
import { matchRule } from '../../src/permission/match-rule.ts'
import { parseRule } from '../../src/permission/parse-rule.ts'
import { stricter } from '../../src/protocol/verdict-parts.ts'

const bash = (command: string) => ({ tool: 'Bash', input: { command }, cwd: '/srv/app', home: '/home/me' })

const pieces = [
  'git',
  'push',
  'ls',
  '-la',
  'rm',
  '-rf',
  'x',
  '$X',
  '"$@"',
  '$(',
  ')',
  '`',
  '(',
  '{',
  '}',
  ';',
  '&&',
  '||',
  '|',
  '&',
  '\n',
  '<<EOF',
  'EOF',
  '<',
  '>',
  '2>&1',
  '>&',
  "'",
  '"',
  '\\',
  '*',
  '?',
  '[',
  '#',
  '=',
  'FOO=1',
  'sudo',
  'env',
  'bash',
  '-c',
  'xargs',
  'find',
  '-exec',
  'eval',
  '{a,b}',
  '..',
  '!',
  '\u202e',
  'é',
  '\u0000',
  'if',
  'then',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'case',
  'esac',
  '[[',
  ']]',
  '((',
  '))',
]
const command = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).chain((words) => fc.constantFrom(' ', '').map((gap) => words.join(gap))),
  fc.string({ maxLength: 60 }),
)
const ruleText = fc.oneof(
  fc.array(fc.constantFrom('git', 'push', 'ls', '*', '-la', 'rm', ':*', ' ', ' '), { minLength: 1, maxLength: 6 }).map((words) => `Bash(${words.join(' ')})`),
  fc.string({ maxLength: 20 }).map((text) => `Bash(${text})`),
  fc.string({ maxLength: 20 }),
)

test('no text makes reading throw, and what is allowed would be denied by the same rule', () => {
  fc.assert(
    fc.property(ruleText, command, (rule, text) => {
      const { deny, allow } = matchRule(rule, bash(text))
      expect(allow && !deny).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('a wrapper never loosens a deny rule, and only a few let an allow rule through', () => {
  const wrappers = [
    'env',
    'env A=1',
    'sudo',
    'sudo -u x',
    'nohup',
    'timeout 5',
    'time',
    'nice',
    'nice -n 5',
    'stdbuf -oL',
    'command',
    'builtin',
    'noglob',
    'xargs',
    'setsid',
    'ionice -c 3',
    'flock lock',
    'watch',
    'doas',
    'chroot /',
    'exec',
    'busybox',
    'strace',
    'taskset 1',
    'systemd-run',
    'nocorrect',
    'docker run x',
    'ssh host',
    'npx',
    'mise exec --',
  ]
  const look = (text: string) => matchRule('Bash(git push *)', bash(text))
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('git push', 'git push -f origin', 'git -C a push', '/usr/bin/git push x', "'git' push"),
      (outer, inner) => {
        expect(look(`${outer.join(' ')} ${inner}`).deny).toBe(true)
        if (
          outer.some((w) =>
            /^(?:env|sudo|xargs|setsid|ionice|flock|watch|doas|chroot|exec|busybox|strace|taskset|systemd|nocorrect|docker|ssh|npx|mise)/.test(w),
          )
        )
          expect(look(`${outer.join(' ')} ${inner}`).allow).toBe(false)
      },
    ),
    { numRuns: 500 },
  )
})

test('a shell text around a command never loosens a deny rule', () => {
  const around: ((inner: string) => string)[] = [
    (c) => `(${c})`,
    (c) => `{ ${c}; }`,
    (c) => `true && ${c}`,
    (c) => `${c} || true`,
    (c) => `echo $( ${c} )`,
    (c) => `if ${c}; then :; fi`,
    (c) => `while ${c}; do break; done`,
    (c) => `f() { ${c}; }; f`,
    (c) => `cat <(${c})`,
    (c) => `! ${c}`,
    (c) => `time ${c}`,
    (c) => `bash -c '${c.replaceAll("'", "'\\''")}'`,
    (c) => `eval '${c.replaceAll("'", "'\\''")}'`,
    (c) => `x=$( ${c} )`,
    (c) => `${c} & wait`,
    (c) => `cat <<EOF\n$( ${c} )\nEOF`,
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...around), { minLength: 1, maxLength: 4 }), (layers) => {
      const text = layers.reduce((inner, wrap) => wrap(inner), 'git push origin')
      expect(matchRule('Bash(git push *)', bash(text)).deny, text).toBe(true)
    }),
    { numRuns: 500 },
  )
})

const listed = fc
  .record({
    list: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
    text: fc.constantFrom('Bash', 'Bash(git *)', 'Bash(git push *)', 'Bash(ls *)', 'Bash(rm *)', 'Bash(* x)', 'Edit(*.txt)', 'Read', '*'),
  })
  .map(({ list, text }): ListedRule => {
    const parsed = parseRule(text)
    if (parsed.kind === 'fault') throw new Error(parsed.message)
    return { list, rule: parsed.rule }
  })

test('one more deny or ask rule never makes the result less strict, and the order of rules never counts', () => {
  fc.assert(
    fc.property(fc.array(listed, { maxLength: 6 }), listed, command, (rules, more, text) => {
      const before = judgeRules(rules, bash(text)).behavior
      const after = judgeRules([...rules, more], bash(text)).behavior
      if (more.list !== 'allow') expect(stricter(before, after)).toBe(after)
      expect(judgeRules([...rules].reverse(), bash(text)).behavior).toBe(before)
    }),
    { numRuns: 500 },
  )
})

test('a command that is long, deep or has many parts is never allowed, and hits every deny rule', () => {
  const hostile = [
    `git ${'a '.repeat(6000)}`,
    `${'git status; '.repeat(600)}`,
    `${'echo $('.repeat(80)}x${')'.repeat(80)}`,
    `${'eval '.repeat(200)}x`,
    `docker ${'sudo docker '.repeat(300)}`,
    'a'.repeat(1_000_000),
  ]
  for (const text of hostile) expect(matchRule('Bash(git *)', bash(text)).allow, text.slice(0, 40)).toBe(false)
  for (const text of hostile) expect(matchRule('Bash(never *)', bash(text)).deny, text.slice(0, 40)).toBe(true)
})
