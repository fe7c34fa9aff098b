/** What `hookline run --help` prints, from the table of options. */
import { groups, type RunFlag, runFlags } from './flags.ts'

const examples: readonly (readonly [string, string])[] = [
  ['hookline run', 'a session in this terminal'],
  ['hookline run -p "what does this project do?"', 'one prompt, one answer'],
  ['git diff | hookline run -p "review this" --permission-mode plan', 'stdin is added to the prompt, and nothing is changed'],
  ['hookline run -p "mend the tests" --allowedTools "Bash(npm test)" Edit --output-format stream-json', 'a line per message, for programs'],
  ['hookline run -p "and now the docs" --continue', 'goes on with the last session of this folder'],
  ['hookline run -p "go" --model script:turns.json --include-hook-events --json-lines --trust', 'recorded turns and every hook: no model is asked'],
]

/** The help text. */
export function helpText(): string {
  const width = Math.max(...runFlags.map((flag) => left(flag).length))
  const sections = Object.entries(groups).flatMap(([group, title]) => [
    `${title}:`,
    ...runFlags.filter((flag) => flag.group === group).map((flag) => `  ${left(flag).padEnd(width)}  ${right(flag)}`),
    '',
  ])
  return [
    'Usage: hookline run [prompt] [options]',
    '',
    'The reference agent: a small coding agent in which every event fires for its real reason.',
    'In a terminal it is a session; with -p, or without a terminal, it runs one prompt. Words behind -- are the prompt.',
    '',
    ...sections,
    'Exit codes: 0 done, 1 the turn failed or something is not there, 64 the words cannot be read, 130 and 143 after SIGINT and SIGTERM.',
    '',
    'Examples:',
    ...examples.map(([line, about]) => `  ${line}\n      ${about}`),
    '',
  ].join('\n')
}

function left({ names, short, takes, value = 'value' }: RunFlag): string {
  const what = takes === 'one' ? ` <${value}>` : takes === 'many' ? ` <${value}…>` : takes === 'maybe' ? ` [${value}]` : ''
  return `${short === undefined ? '    ' : `-${short}, `}--${names[0]}${what}`
}

function right({ summary, choices }: RunFlag): string {
  return choices === undefined ? summary : `${summary}: ${choices.join(', ')}`
}
