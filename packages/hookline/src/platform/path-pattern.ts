/** Glob patterns of the verifier's tools: `*`, `**`, `?`, `[…]` and `{a,b}`, from the folder that is searched. */
import ignore from 'ignore'

const mostPatterns = 64

/** Whether a path, relative and with `/`, is named by the pattern. @throws Error, in words for the model, for a pattern that cannot be used. */
export function pathPattern(pattern: string, { anywhere = false }: { anywhere?: boolean } = {}): (path: string) => boolean {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  if (plain === '' || plain.length > 500 || plain.split('/').includes('..'))
    throw new Error('The pattern must be relative, without "..", and of at most 500 characters.')
  const anchor = anywhere && !plain.includes('/') ? '' : '/'
  const names = ignore({ ignorecase: false }).add(expand(plain).map((one) => `${anchor}${anchor === '' ? one.replace(/^[!#]/, '\\$&') : one}`))
  return (path) => names.ignores(path)
}

/** The patterns that brace groups stand for. */
function expand(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = /\{([^{}]*)\}/.exec(one)
    if (group === null || !(group[1] ?? '').includes(',')) done.push(one)
    else for (const choice of (group[1] ?? '').split(',')) open.push(one.slice(0, group.index) + choice + one.slice(group.index + group[0].length))
    if (done.length + open.length > mostPatterns) throw new Error('The pattern has too many alternatives.')
  }
  return done
}
