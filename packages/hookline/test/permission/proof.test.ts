/** Commands that are really run in bash: when they reach the stand-in for git, a deny rule must have seen it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchRule } from '../../src/permission/match-rule.ts'

let folder = ''
let log = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-proof-'))
  log = join(folder, 'log')
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'cwd'))
  // Globs in the commands look for these names.
  writeFileSync(join(folder, 'cwd', 'push'), '')
  writeFileSync(join(folder, 'cwd', 'f'), '')
  writeFileSync(join(folder, 'bin', 'git'), '#!/bin/sh\necho "$*" >> "$GIT_STAND_IN_LOG"\n')
  chmodSync(join(folder, 'bin', 'git'), 0o755)
  execFileSync('bash', ['--version'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const names = [
  'git',
  'g"i"t',
  '\\git',
  "'git'",
  '$G',
  '${G}',
  '"$G"',
  '{git,}',
  '$(echo git)',
  '`echo git`',
  "$'\\x67it'",
  '${X:-git}',
  'git\\\n',
  '../bin/git',
  '"$PWD"/../bin/git',
]
const subcommands = [
  'push',
  'pu"sh"',
  '\\push',
  '$P',
  '"$P"',
  '{push,x}',
  '$(echo push)',
  'p\\\nush',
  '${P:0:4}',
  'pus*',
  '-C . push',
  '-c a=b push',
  '--no-pager push',
  '-p push',
]
const layers: ((inner: string) => string)[] = [
  (c) => `( ${c} )`,
  (c) => `{ ${c}; }`,
  (c) => `true && ${c}`,
  (c) => `false || ${c}`,
  (c) => `echo $( ${c} )`,
  (c) => `x="$( ${c} )"`,
  (c) => `if true; then ${c}; fi`,
  (c) => `for i in 1; do ${c}; done`,
  (c) => `case a in a) ${c};; esac`,
  (c) => `f() { ${c}; }; f`,
  (c) => `cat <( ${c} )`,
  (c) => `! ${c}`,
  (c) => `${c} | cat`,
  (c) => `echo x | ${c}`,
  (c) => `cat <<EOF\n$( ${c} )\nEOF`,
  (c) => `eval ${quoted(c)}`,
  (c) => `bash -c ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | bash`,
  (c) => `bash <<'XX'\n${c}\nXX`,
  (c) => `env A=1 ${c}`,
  (c) => `timeout 5 ${c}`,
  (c) => `nice ${c}`,
  (c) => `nohup ${c}`,
  (c) => `echo | xargs ${c}`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `[[ -n $( ${c} ) ]]`,
  (c) => `echo \${q:-$( ${c} )}`,
  (c) => `A=1 ${c}`,
  (c) => `exec ${c}`,
  (c) => `command ${c}`,
  (c) => `while ${c}; do break; done`,
  (c) => `true; # x\n${c}`,
  (c) => `2>/dev/null ${c}`,
  (c) => `time ${c}`,
  (c) => `set -- ${c}; "$@"`,
  (c) => `find . -maxdepth 0 -exec ${c} \\;`,
  (c) => `shopt -s expand_aliases; alias zz=${quoted(c)}\nzz`,
  (c) => `echo ${quoted(c)} > s.sh; . ./s.sh`,
]

test('a command that reaches git push is denied, and never allowed by a rule for something else', () => {
  let reached = 0
  const command = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...subcommands), fc.array(fc.constantFrom(...layers), { maxLength: 3 }))
    .map(([name, sub, around]) => around.reduce((inner, layer) => layer(inner), `${name} ${sub}`))
  fc.assert(
    fc.property(command, (text) => {
      writeFileSync(log, '')
      spawnSync('bash', ['--norc', '--noprofile', '-c', text], {
        cwd: join(folder, 'cwd'),
        env: { PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, GIT_STAND_IN_LOG: log, G: 'git', P: 'push' },
        timeout: 10_000,
        stdio: 'ignore',
      })
      if (!/^(?:-C \. |-c a=b |--no-pager |-p )?push\b/m.test(readFileSync(log, 'utf8'))) return
      reached++
      expect(matchRule('Bash(git push *)', { tool: 'Bash', input: { command: text } }).deny, text).toBe(true)
      expect(matchRule('Bash(echo *)', { tool: 'Bash', input: { command: text } }).allow, text).toBe(false)
    }),
    { numRuns: 100 },
  )
  expect(reached).toBeGreaterThan(30)
}, 120_000)
