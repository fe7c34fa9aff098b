/** Short names for hooks, for people who read listings: the script, the host, the first words. */
import { firstWords, startedBy } from './command-words.ts'
import { nameIn } from './paths.ts'

const longest = 40

/** The name of a hook from what it runs. */
export function labelOf(type: string, spec: Readonly<Record<string, unknown>>): string {
  const text = (key: string) => (typeof spec[key] === 'string' ? spec[key] : '')
  switch (type) {
    case 'command':
      return clean(commandLabel(text('command'), spec['args'])) || 'command'
    case 'http':
      return clean(urlLabel(text('url'))) || 'http'
    case 'prompt':
    case 'agent':
      return clean(text('prompt')) || type
    case 'mcp_tool':
      return clean(`${text('server')}:${text('tool')}`)
    case 'module':
      return clean(nameIn(text('path'))) || 'module'
    default:
      return clean(type) || 'hook'
  }
}

/** The name of a hook in code. */
export function callbackLabel(name: string | undefined, callback: (...args: never) => unknown): string {
  return clean(name ?? '') || clean(String(callback.name)) || 'callback'
}

function commandLabel(command: string, args: unknown): string {
  const words = Array.isArray(args) ? [command, ...args.filter((arg) => typeof arg === 'string')] : firstWords(command).map((word) => word.text)
  const { program, script, rest } = startedBy(words)
  if (script !== undefined) return nameIn(script)
  if (program === undefined) return command
  if (/[\\/]/.test(program)) return nameIn(program)
  const plain = [program]
  for (const word of rest) {
    if (plain.length === 3 || !/^[\w.:@][\w.:@=-]*$/.test(word)) break
    plain.push(word)
  }
  return plain.join(' ')
}

function urlLabel(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}

/** One line, no control or direction characters, not too long. */
function clean(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  if (line.length <= longest) return line
  const cut = line.slice(0, longest)
  const blank = cut.lastIndexOf(' ')
  return `${(blank > longest / 2 ? cut.slice(0, blank) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
