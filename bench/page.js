/** The page of the last run, docs/benchmarks.md. */
import { busyWarning, sentence } from './machine.js'
import { digits, markdownTable } from './table.js'
import { tried } from './tried.js'

/** The page as Markdown. */
export function page(shape, found, { quick }) {
  const warning = busyWarning(shape)
  // A run among other work judges nothing.
  const rows = warning === '' ? found : found.map(({ met: _, ...row }) => row)
  return `# Benchmarks

<!-- Made by "npm run bench -- --write"; do not edit by hand. -->

${warning === '' ? '' : `> **Not a quiet run.** ${warning} \`npm run bench -- --write\` on a machine with nothing else to do renews this page.\n\n`}What Hookline costs, over the least that is possible (a microtask, \`posix_spawn\` in C, a raw socket) and over what others do (plain \`spawn\`, the global \`fetch\`, other hook libraries). All of one run, in turns, so that what else the machine did hit all alike: figures are ratios within a round, the smallest, the median and the largest of all rounds. Less is better, except where a peer is divided by Hookline. Every Hookline is one from \`createHookline\`, and every event goes through \`fire\` or \`fireNow\`.

${markdownTable(rows)}

${sentence(shape)}${quick ? ' This was a quick run, with few rounds.' : ''}

${missed(rows)}## How it is measured

- Command hooks (B4 to B8) run in hosts of their own: a process with no ballast, one with 500 MB and one with 2 GB of it, as Buffers, which a fork has to copy the page tables of. The pool is on, as it is by default. The hook is \`read -r x; echo '{"continue":true}'\` with about 450 bytes of input.
- Plain spawn is \`spawn(command, { shell: true })\` with the input written and the output collected, in the same process. The floor in C (\`bench/floor.c\`) has no ballast.
- "Event loop held" is the active time of \`performance.eventLoopUtilization()\`.
- Peak memory (B9) is that of the host with its shared files in memory, not that of the hooks' own processes.
- The endpoint of B10 and the hooks of B13 are other processes or threads on the same machine.

Run it yourself: \`npm run bench\` (minutes) or \`npm run bench -- --quick\` (under a minute). The figures are also in \`bench/results/last.json\`.
`
}

/** What was not reached, and what was done about it. */
function missed(rows) {
  const list = rows.filter(({ met }) => met === false)
  if (list.length === 0) return ''
  const lines = list.map(
    ({ id, what, median, target }) => `- ${id}, ${what}: ${digits(median)} (target ${target}).${tried[id] === undefined ? '' : ` ${tried[id]}`}`,
  )
  return `## Missed\n\n${lines.join('\n')}\n\n`
}
