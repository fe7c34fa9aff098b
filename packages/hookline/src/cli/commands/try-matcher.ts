/** `hookline try matcher`: one matcher against one value. */
import { type EventName, matchValue } from '../../index.ts'
import { createBoundedRegex } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { shownLine } from '../render/shown.ts'
import { answerLines } from './batch.ts'

/** Options of `try matcher`. */
export interface TryMatcherOptions extends GlobalOptions {
  batch?: true
  event?: string
}
type MatchAnswer = ReturnType<typeof matchValue>

const bounded = createBoundedRegex()

/** Gives 1 when the matcher does not match, or cannot be tried. @throws Failure, HooklineError. */
export async function tryMatcher([pattern, value]: readonly (string | undefined)[], options: TryMatcherOptions, { terminal }: CommandContext): Promise<Exit> {
  if (options.batch) return await answerLines(process.stdin, terminal, answer)
  if (pattern === undefined || value === undefined)
    throw new Failure('missing-argument', 'try matcher needs a pattern and a value.', { hint: "For example: hookline try matcher 'Edit|Write' Bash" })
  const found = answer({ matcher: pattern, value, ...(options.event === undefined ? {} : { event: options.event }) })
  terminal.show(found, () => words(found, pattern, value))
  return found.matches === true ? exits.goOn : exits.findings
}

function answer(line: Readonly<Record<string, unknown>>): MatchAnswer {
  const { event, matcher, value } = line
  if (typeof value !== 'string') throw new Failure('missing-value', '"value" must be a text: what the matcher is tried on.')
  if (event !== undefined && typeof event !== 'string') throw new Failure('unknown-event', '"event" must be a text.')
  return matchValue(event as EventName | undefined, matcher, { value, bounded })
}

const kinds: Readonly<Record<MatchAnswer['kind'], string>> = {
  all: 'every value',
  exact: 'exact name',
  list: 'list of names',
  regex: 'regular expression, anywhere in the value',
  invalid: 'not a valid matcher',
}

function words({ matches, kind, error }: MatchAnswer, pattern: string, value: string): string {
  if (kind === 'invalid') return `invalid matcher (${error ?? 'it cannot be used'})${regexFault(pattern)}`
  if (matches === null) return `cannot tell: ${kinds[kind]}; it takes too long, or the value is too long`
  const hint = matches ? undefined : hintFor(kind, pattern, value)
  return `${matches ? 'match' : 'no match'}: ${kinds[kind]}${hint === undefined ? '' : `; ${hint}`}`
}

/** What the JavaScript engine says of a pattern, and what to do about it. */
function regexFault(pattern: string): string {
  try {
    void new RegExp(pattern)
    return ''
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
    return `: ${shownLine(said)}. Put "\\" before a character that is meant as it stands.`
  }
}

/** The two slips that people make most: a bare MCP server, and the wrong case. */
function hintFor(kind: MatchAnswer['kind'], pattern: string, value: string): string | undefined {
  const names = kind === 'regex' ? [] : pattern.split(/[|,]/).map((name) => name.trim())
  const server = names.find((name) => name.startsWith('mcp__') && value.startsWith(`${name}__`))
  if (server !== undefined) return `for a whole server write ${shownLine(server)}__.*`
  const other = names.find((name) => name !== '' && name.toLowerCase() === value.toLowerCase())
  return other === undefined ? undefined : `names are case-sensitive, write ${shownLine(value)}`
}
