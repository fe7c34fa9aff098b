/** Reads a scenario: a sentence, the files of a world, what is fired and what must come of it, in one text file. */
import type { EventName, TrustMode } from '../../src/index.ts'
import { example } from '../../src/testing/example.ts'
import type { WorldOptions } from './world.ts'

/** One firing and the lines that must hold afterwards. */
export interface Step {
  readonly event: EventName
  readonly input: Readonly<Record<string, unknown>>
  readonly expect: readonly string[]
}

/** One scenario file. */
export interface Scenario {
  /** The first line. */
  readonly sentence: string
  readonly world: WorldOptions
  readonly steps: readonly Step[]
  /** Why this cannot be shown in one process of the command line; absent: it can. */
  readonly apiOnly?: string
}

/**
 * The form: a sentence; lines `api only: WHY`, `trust: pinned`, `env: NAME=value`; then sections, each headed `-- NAME --`.
 * `-- fire EVENT --` holds `field: value` lines over an example input, `-- expect --` lines of `expectations.ts`,
 * `-- managed --` the policy of the program, `-- session NAME --` further settings; any other name is a file.
 */
export function parseScenario(text: string): Scenario {
  const [head = '', ...parts] = text.split(/^-- (.+) --\n/m)
  const [sentence = '', ...directives] = head.trim().split('\n')
  const files: Record<string, string> = {}
  const settings: string[] = []
  const steps: { event: EventName; input: Record<string, unknown>; expect: string[] }[] = []
  let managed: object | undefined
  for (let at = 0; at < parts.length; at += 2) {
    const [name = '', body = ''] = [parts[at], parts[at + 1]]
    const [word = '', rest] = name.split(' ')
    if (word === 'fire') steps.push({ event: rest as EventName, input: example(rest as EventName, fieldsOf(body) as never), expect: [] })
    else if (word === 'expect') steps.at(-1)?.expect.push(...linesOf(body))
    else if (word === 'managed') managed = JSON.parse(body) as object
    else if (word === 'session') {
      files[rest as string] = body
      settings.push(`\${PROJECT}/${rest}`)
    } else files[name] = body
  }
  const directive = (key: string) => directives.flatMap((line) => (line.startsWith(`${key}: `) ? [line.slice(key.length + 2)] : []))
  const [trust] = directive('trust')
  const apiOnly = directive('api only')[0] ?? (managed === undefined ? undefined : 'the command line has no embedding program')
  return {
    sentence,
    steps,
    world: {
      files,
      settings,
      env: Object.fromEntries(directive('env').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])),
      ...(managed === undefined ? {} : { managed }),
      ...(trust === undefined ? {} : { trust: trust as TrustMode }),
    },
    ...(apiOnly === undefined ? {} : { apiOnly }),
  }
}

function linesOf(body: string): string[] {
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** A value is JSON where it is JSON, else text. */
function fieldsOf(body: string): Record<string, unknown> {
  return Object.fromEntries(linesOf(body).map((line) => [line.slice(0, line.indexOf(':')), valueOf(line.slice(line.indexOf(':') + 1).trim())]))
}

/** JSON where it is JSON, else the text as it stands. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
