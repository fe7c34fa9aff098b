/** Brace expansion: `{git,push}` is two words before anything else is looked at. */

const most = 64

/** The words that literal text and brace groups together make; `undefined` when that cannot be said. */
export function expandBraces(pieces: readonly ({ text: string } | { braces: string })[]): string[] | undefined {
  let words = ['']
  for (const piece of pieces) {
    const choices = 'text' in piece ? [piece.text] : choicesOf(piece.braces)
    if (choices === undefined || words.length * choices.length > most) return undefined
    words = words.flatMap((word) => choices.map((choice) => word + choice))
  }
  return words
}

function choicesOf(braces: string): string[] | undefined {
  // Quotes and expansions inside a group would need the whole word reader again.
  if (/["'`$\\]/.test(braces)) return undefined
  const body = braces.slice(1, -1)
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/.exec(body)
  if (range) return rangeOf(range[1] ?? '', range[2] ?? '')
  const members = splitTop(body)
  const all: string[] = []
  for (const member of members) {
    const open = member.search(/\{[^{}]*(?:,|\.\.)/)
    const inner = open < 0 ? [member] : nested(member, open)
    if (inner === undefined || all.length + inner.length > most) return undefined
    all.push(...inner)
  }
  return all
}

function nested(member: string, open: number): string[] | undefined {
  let depth = 0
  for (let i = open; i < member.length; i++) {
    if (member[i] === '{') depth++
    else if (member[i] === '}' && --depth === 0) {
      const after = member.slice(i + 1)
      const rest = after.includes('{') ? choicesOf(`{${after},}`)?.slice(0, -1) : [after]
      const inner = choicesOf(member.slice(open, i + 1))
      if (rest === undefined || inner === undefined) return undefined
      return inner.flatMap((word) => rest.map((tail) => member.slice(0, open) + word + tail))
    }
  }
  return undefined
}

function splitTop(body: string): string[] {
  const members: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i < body.length; i++) {
    if (body[i] === '{') depth++
    else if (body[i] === '}') depth--
    else if (body[i] === ',' && depth === 0) {
      members.push(body.slice(from, i))
      from = i + 1
    }
  }
  members.push(body.slice(from))
  return members
}

function rangeOf(from: string, to: string): string[] | undefined {
  const numbers = /\d/.test(from)
  if (numbers !== /\d/.test(to)) return undefined
  const a = numbers ? Number(from) : (from.codePointAt(0) ?? 0)
  const b = numbers ? Number(to) : (to.codePointAt(0) ?? 0)
  if (Math.abs(a - b) >= most) return undefined
  const step = a <= b ? 1 : -1
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, i) => a + i * step).map((n) => (numbers ? String(n) : String.fromCodePoint(n)))
}
