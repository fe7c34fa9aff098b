/** Promise 7: what a deny rule names does not run unseen, and what an allow rule lets through is only what it names. */
import { existsSync, readFileSync } from 'node:fs'
import { matchRule } from 'hookline'
import { createShellRoom } from '../bash.js'
import { generateCommand, wrapOnce } from '../commands.js'
import { count, notRun, Tally } from '../result.js'
import { scratch } from '../world.js'

const corpus = new URL('../../packages/hookline/test/data/cases/shell-rules.json', import.meta.url)
const look = (rule, command) => matchRule(rule, { tool: 'Bash', input: { command }, cwd: '/work/app', home: '/home/me' })
const shown = (command) => JSON.stringify(command)

export const promises = [
  { id: '7a', words: 'written rows of evasions, traps and honest commands', run: rows },
  { id: '7b', words: 'what really ran in bash was seen by the rules', run: fuzz },
  { id: '7c', words: 'wrapping, quoting or substituting never loosens an answer', run: wrapping },
  { id: '7d', words: 'random shell texts: no crash, bounded work, 10,000 characters', run: texts },
]

function rows() {
  if (!existsSync(corpus)) return notRun('the rows are not in this package')
  const tally = new Tally()
  const kinds = {}
  for (const { id, kind, rule, command, deny, allow, certainty } of JSON.parse(readFileSync(corpus, 'utf8')).cases) {
    const said = look(rule, command)
    kinds[kind.replace(/-.*/, '')] = (kinds[kind.replace(/-.*/, '')] ?? 0) + 1
    const wrong = said.deny !== deny || said.allow !== allow || (certainty !== undefined && said.certainty !== certainty)
    tally.add(wrong ? `${id}: ${rule} on ${shown(command)} gives deny ${said.deny}, allow ${said.allow}, ${said.certainty}` : undefined)
  }
  return tally.done(
    Object.entries(kinds)
      .map(([kind, number]) => `${number} ${kind}`)
      .join(', '),
  )
}

/** The call with git's own options taken away: what a rule names. */
function named(call) {
  if (call[0] !== 'git') return call
  let at = 1
  while (at < call.length && call[at].startsWith('-')) at += ['-C', '-c', '--git-dir', '--work-tree', '--namespace'].includes(call[at]) ? 2 : 1
  return ['git', ...call.slice(at)]
}
const begins =
  (...words) =>
  (call) =>
    words.every((word, at) => call[at] === word)
const rules = {
  'Bash(git push *)': begins('git', 'push'),
  'Bash(git *)': begins('git'),
  'Bash(git status *)': begins('git', 'status'),
  'Bash(git log *)': begins('git', 'log'),
  'Bash(rm *)': begins('rm'),
  'Bash(rm -rf *)': begins('rm', '-rf'),
  'Bash(curl *)': begins('curl'),
  'Bash(echo *)': () => false,
  'Bash(ls *)': () => false,
  'Bash(cat *)': () => false,
  'Bash(true *)': () => false,
}

async function fuzz({ random, short, tell }) {
  const wanted = short ? 120 : 10_000
  const tally = new Tally()
  const rooms = [scratch('shell'), scratch('shell')].map(createShellRoom)
  const seen = { calls: 0, reached: 0, allowed: 0 }
  const judge = (command, calls) => {
    for (const [rule, names] of Object.entries(rules)) {
      const { deny, allow, why } = look(rule, command)
      const ran = calls.find((call) => names(named(call)))
      if (ran !== undefined && !deny) return `deny ${rule} did not see ${shown(command)}, which ran "${ran.join(' ')}" (${why})`
      const other = calls.find((call) => !names(named(call)))
      if (allow && other !== undefined) return `allow ${rule} let ${shown(command)} through, which ran "${other.join(' ')}"`
      if (allow && ran !== undefined) seen.allowed++
    }
    return undefined
  }
  const size = 50
  let left = wanted
  const work = async (room) => {
    while (left > 0) {
      const commands = Array.from({ length: Math.min(size, left) }, () => generateCommand(random))
      left -= commands.length
      const all = await room.run(commands)
      for (const [at, command] of commands.entries()) {
        seen.calls += all[at].length
        if (all[at].length > 0) seen.reached++
        let problem = judge(command, all[at])
        // A child that a command left behind may have written into the log of the next one: once more, alone.
        if (problem !== undefined) problem = judge(command, (await room.run(['wait', command]))[1])
        tally.add(problem)
      }
      tell(`${tally.tries} commands, ${tally.failures} wrong`)
    }
  }
  await Promise.all(rooms.map(work))
  if (seen.reached < wanted / 4 || seen.allowed < wanted / 200) tally.fail(`too little ran to prove anything: ${JSON.stringify(seen)}`)
  const where = rooms[0].sandboxed ? 'without a network' : 'no namespaces: only by PATH'
  return tally.done(
    `${count(seen.reached)} reached a stand-in (${count(seen.calls)} calls), ${count(seen.allowed)} were allowed by a rule and ran only what it names; ${where}`,
  )
}

const restricted = {
  'Bash(git push *)': ['git push', 'git push origin', 'git -C . push', '/usr/bin/git push', "'git' push", 'git pu"sh" x'],
  'Bash(rm -rf *)': ['rm -rf build', 'rm -rf /', '\\rm -rf x'],
  'Bash(curl *)': ['curl http://a.test', 'cur""l -s http://a.test'],
}
const rank = ({ deny, allow }) => (deny ? 2 : 0) + (allow ? 0 : 1)

function wrapping({ random, short }) {
  const tally = new Tally()
  for (let at = 0; at < (short ? 2_000 : 100_000); at++) {
    const rule = random.pick(Object.keys(restricted))
    const inner = random.pick(restricted[rule])
    let outer = inner
    for (let layers = 1 + random.int(4); layers > 0; layers--) outer = wrapOnce(random, outer)
    const [before, after] = [look(rule, inner), look(rule, outer)]
    const other = look('Bash(echo *)', outer)
    const loosened = rank({ ...after, allow: after.allow && before.allow }) < rank(before) || !after.deny || (after.allow && !before.allow) || other.allow
    tally.add(
      loosened
        ? `${rule} on ${shown(inner)} is deny ${before.deny}, allow ${before.allow}; on ${shown(outer)} deny ${after.deny}, allow ${after.allow}; Bash(echo *) allows it: ${other.allow}`
        : undefined,
    )
  }
  return tally.done('1 to 4 layers around commands that a deny rule names')
}

const pieces =
  'git push ls rm -rf $X "$@" $( ) ` ( { } ; && || | & <<EOF EOF < > 2>&1 >& \' " \\ * ? [ # = A=1 sudo env bash -c xargs find -exec eval {a,b} .. ! if then fi for in do done case esac [[ ]] (( )) function ${x@P} ${!y} ;; |& <<< >( <('.split(
    ' ',
  )
const limit = 10_000

function texts({ random, short }) {
  const tally = new Tally()
  const slow = { ms: 0, text: '' }
  const one = () => {
    const kind = random.int(10)
    if (kind < 5) return random.some(pieces, 40).join(random.pick([' ', '', '\n', ' ']))
    if (kind < 7) return random.bytes(random.int(200)).toString(random.pick(['latin1', 'utf8', 'utf16le']))
    if (kind < 8) return random.pick(pieces).repeat(1 + random.int(4_000))
    if (kind < 9)
      return `${random.pick(['$(', '(', '{ ', 'eval ', 'if ', '${x:-', '`', '<<A ', '"$(', 'bash -c "'])}`.repeat(random.int(300)) + random.pick(pieces)
    return generateCommand(random)
  }
  const judge = (text) => {
    const began = performance.now()
    let said
    try {
      said = look(random.pick(['Bash(git push *)', 'Bash(ls *)', 'Bash(*)', 'Bash(git *)']), text)
    } catch (error) {
      return `${shown(text)} makes reading throw: ${error.message}`
    }
    const ms = performance.now() - began
    if (ms > slow.ms) Object.assign(slow, { ms, text })
    if (said.allow && !said.deny) return `${shown(text)} is allowed by a rule that would not deny it`
    return undefined
  }
  for (let at = 0; at < (short ? 2_000 : 100_000); at++) tally.add(judge(one()))
  // At the limit, around it, and far beyond: never allowed, always denied.
  for (const length of [limit - 200, limit, limit + 1, limit + 50, 2 * limit, 1_000_000]) {
    for (const part of ['git status; ', 'a', 'echo "$(git status)" ', '#', 'ls\n']) {
      const text = `git status ${part.repeat(Math.ceil(length / part.length))}`.slice(0, length)
      const began = performance.now()
      const [allow, deny] = [look('Bash(git *)', text), look('Bash(never *)', text)]
      const ms = performance.now() - began
      if (ms > slow.ms) Object.assign(slow, { ms, text })
      const over = length > limit
      tally.add(over && (allow.allow || !deny.deny) ? `${length} characters of ${shown(part)}: allow ${allow.allow}, deny ${deny.deny}` : undefined)
    }
  }
  if (slow.ms > 5_000) tally.fail(`reading took ${Math.round(slow.ms)} ms: ${shown(slow.text.slice(0, 200))}`)
  return tally.done(`slowest text ${Math.round(slow.ms)} ms; over 10,000 characters never allowed`)
}
