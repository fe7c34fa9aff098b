/** Whether a regular expression may run without a time limit: judged from its text alone, on the careful side. */

/**
 * True when the pattern has at most one of `*`, `+` and `{…}`, none of them after a group, no look-around, no back-reference (design
 * decision 17), and so few alternatives that trying all of them is cheap. The pattern must be a valid one.
 */
export function runsBounded(source: string): boolean {
  const paths = new Paths()
  let repeats = 0
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    if (char === '\\') {
      if (/^(?:[1-9]|k<)/.test(source.slice(at + 1))) return false
      at += 1
      paths.atom(1)
    } else if (char === '[') {
      at = classEnd(source, at)
      paths.atom(1)
    } else if (char === '(') {
      const opening = /^\((?:\?(:|<[^=!>][^>]*>|.))?/s.exec(source.slice(at)) as RegExpExecArray
      if (opening[1] !== undefined && opening[1] !== ':' && !opening[1].endsWith('>')) return false
      at += opening[0].length - 1
      paths.open()
    } else if (char === ')') paths.close()
    else if (char === '|') paths.alternative()
    else if (char === '?') paths.optional()
    else if (char === '*' || char === '+' || (char === '{' && /^\{\d+(?:,\d*)?\}/.test(source.slice(at)))) {
      repeats += 1
      if (repeats > 1 || paths.afterGroup) return false
      if (char === '{') at = source.indexOf('}', at)
      // A "?" here only asks for the shortest match.
      if (source[at + 1] === '?') at += 1
    } else paths.atom(1)
  }
  return paths.total <= 64
}

/** Where the character class that opens at `at` closes. */
function classEnd(source: string, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  return end
}

/** Counts the ways through a pattern: products along a sequence, sums over alternatives. */
class Paths {
  #sum = 0
  #product = 1
  #last = 1
  readonly #outer: { sum: number; product: number }[] = []
  afterGroup = false

  get total(): number {
    return this.#sum + this.#product
  }
  atom(ways: number): void {
    this.#last = ways
    this.#product *= ways
    this.afterGroup = false
  }
  open(): void {
    this.#outer.push({ sum: this.#sum, product: this.#product })
    this.#sum = 0
    this.#product = 1
    this.afterGroup = false
  }
  close(): void {
    const inside = this.total
    const outer = this.#outer.pop() ?? { sum: 0, product: 1 }
    this.#sum = outer.sum
    this.#product = outer.product
    this.atom(inside)
    this.afterGroup = true
  }
  alternative(): void {
    this.#sum += this.#product
    this.#product = 1
    this.#last = 1
    this.afterGroup = false
  }
  optional(): void {
    this.#product = (this.#product / this.#last) * (this.#last + 1)
    this.#last += 1
  }
}
