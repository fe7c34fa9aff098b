/** Reads the arguments of `fire` without a library, since it may run before every tool call; whatever is unusual is left to commander. */
import { type Flag, type GlobalOptions, globalFlags, type InputOptions, inputFlags, longName, optionKey, takesValue } from './flags.ts'

/** What `fire` was asked to do. */
export interface FireRequest {
  readonly event: string
  readonly options: GlobalOptions & InputOptions
}

const known = new Map<string, Flag>([...globalFlags, ...inputFlags].map((flag) => [longName(flag), flag]))

/** The request, when `argv` is a plain call of `fire`; `undefined` when commander should read it and say what is wrong. */
export function readFire(argv: readonly string[]): FireRequest | undefined {
  const words: string[] = []
  const options: Record<string, unknown> = { hooks: true, color: true }
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string
    if (!word.startsWith('-')) {
      words.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const flag = known.get(equals === -1 ? word : word.slice(0, equals))
    if (flag === undefined) return undefined
    const key = optionKey(flag)
    if (!takesValue(flag)) {
      if (equals !== -1) return undefined
      options[key] = !longName(flag).startsWith('--no-')
      continue
    }
    const value = equals === -1 ? argv[++index] : word.slice(equals + 1)
    // What looks like an option may be one that lost its value.
    if (value === undefined || (equals === -1 && value.startsWith('-') && value !== '-')) return undefined
    options[key] = flag.repeat ? [...((options[key] as string[] | undefined) ?? []), value] : value
  }
  if (words[0] !== 'fire' || words.length !== 2) return undefined
  return { event: words[1] as string, options: options as unknown as FireRequest['options'] }
}

/** The words of `run`, the options in front of it too; `undefined` for every other command. The agent reads them itself: its prompt may look like anything. */
export function readRun(argv: readonly string[]): string[] | undefined {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string
    if (word === 'run') return [...argv.slice(0, index), ...argv.slice(index + 1)]
    const flag = globalFlags.find((one) => longName(one) === word.split('=', 1)[0])
    if (flag === undefined) return undefined
    if (takesValue(flag) && !word.includes('=')) index += 1
  }
  return undefined
}
