/** Promise 8: answers and rules fold the same in any order, and one more strict member never gives a weaker result. */
import { createEngine } from 'hookline'
import { Tally } from '../result.js'

export const promises = [{ id: '8', words: 'sets of answers and rules are order-free and monotone', run: lattice }]

const strictest = ['deny', 'defer', 'ask', 'allow', 'passthrough']
const answers = {
  allow: { permission: 'allow', reason: 'a' },
  ask: { permission: 'ask', reason: 'q' },
  defer: { permission: 'defer' },
  deny: { permission: 'deny', reason: 'd' },
  block: { block: 'b' },
  stop: { stop: 's' },
  silence: undefined,
}
const said = Object.keys(answers)
const texts = ['Bash', 'Bash(git push *)', 'Bash(git *)', 'Bash(rm *)', 'Bash(git push origin)', 'Read(x)', 'Bash(* origin)', '*']
const hitting = (list) => list.some((text) => text !== 'Bash(rm *)' && text !== 'Read(x)')
const modes = [undefined, 'default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions']
const slots = 7

async function lattice({ random, short, tell }) {
  const wanted = short ? 1_500 : 100_000
  const tally = new Tally()
  const decide = createStation()
  const ways = new Set()
  const someRules = () => (random.chance(0.5) ? [] : random.some(texts, 3))
  for (let at = 0; at < wanted; at++) {
    const one = {
      hooks: random.some(said, slots - 2),
      deny: someRules(),
      ask: someRules(),
      allow: someRules(),
      judge: random.chance(0.25) ? random.pick(strictest) : undefined,
      mode: random.pick(modes),
      edits: random.chance(0.5),
    }
    try {
      tally.add(await judge(one, { decide, random, ways }))
    } catch (error) {
      tally.add(`${JSON.stringify(one)} threw ${error.stack}`)
    }
    tell(`${at} sets`)
  }
  if (!short && ways.size < 10) tally.fail(`only these ways of ending were there: ${[...ways].join(', ')}`)
  return tally.done(`${ways.size} ways of ending seen`)
}

/** One engine whose hooks say what the case at hand wants; its permit is the one that hosts call. */
function createStation() {
  let saying = []
  let calls = 0
  const engine = createEngine()
  for (let at = 0; at < slots; at++) engine.on('PreToolUse', () => answers[saying[at] ?? 'silence'])
  return (one) => {
    saying = one.hooks
    const rules = one.judge === undefined ? { deny: one.deny, ask: one.ask, allow: one.allow } : () => one.judge
    return engine.permit(
      { name: 'Bash', input: { command: 'git push origin' }, id: `t${++calls}` },
      { rules, kindOf: () => (one.edits ? 'edit' : 'other'), ask: 'return', ...(one.mode === undefined ? {} : { mode: one.mode }) },
    )
  }
}

// Whether an ask finds nobody, because the mode says not to ask, is decided behind the fold: it still was an ask.
const rank = ({ behavior, cause }, { mode }) => strictest.indexOf(mode === 'dontAsk' && behavior === 'deny' && cause === 'mode' ? 'ask' : behavior)

async function judge(one, { decide, random, ways }) {
  const told = (what, permit) => `${what}: ${JSON.stringify(one)} gives ${permit.behavior} by ${permit.cause}`
  const permit = await decide(one)
  ways.add(`${permit.behavior} ${permit.cause}`)
  const mixed = await decide({
    ...one,
    hooks: random.shuffle(one.hooks),
    deny: random.shuffle(one.deny),
    ask: random.shuffle(one.ask),
    allow: random.shuffle(one.allow),
  })
  if (mixed.behavior !== permit.behavior || mixed.cause !== permit.cause) return told(`another order gives ${mixed.behavior} by ${mixed.cause}`, permit)
  const more = random.pick(['ask', 'defer', 'deny', 'block', 'stop'])
  const withHook = await decide({ ...one, hooks: [...one.hooks, more] })
  if (rank(withHook, one) > rank(permit, one)) return told(`one more hook that says ${more} gives ${withHook.behavior}`, permit)
  const [denied, asked] = one.judge === undefined ? [hitting(one.deny), hitting(one.ask)] : [one.judge === 'deny', one.judge === 'ask']
  if (one.judge === undefined) {
    const list = random.pick(['deny', 'ask'])
    const withRule = await decide({ ...one, [list]: [...one[list], random.pick(texts)] })
    if (rank(withRule, one) > rank(permit, one)) return told(`one more ${list} rule gives ${withRule.behavior}`, permit)
  }
  const generous = await decide({ ...one, hooks: [...one.hooks, 'allow'] })
  for (const found of [permit, generous]) {
    if (denied && found.behavior !== 'deny') return told('a deny rule was passed', found)
    if (asked && !['deny', 'defer', 'ask'].includes(found.behavior)) return told('an ask rule was passed', found)
  }
  if (one.hooks.some((word) => ['deny', 'block', 'stop'].includes(word)) && permit.behavior !== 'deny') return told('a refusal was lost', permit)
  if (one.hooks.includes('ask') && !['deny', 'defer', 'ask'].includes(permit.behavior)) return told('a question was lost', permit)
  if (permit.behavior === 'allow' && permit.cause === 'hook' && !one.hooks.includes('allow')) return told('silence became a yes', permit)
  return undefined
}
