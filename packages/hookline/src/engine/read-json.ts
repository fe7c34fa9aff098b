/** Finds its way in JSON text without recursion: where a text stops being JSON, where an object closes, which members it has. */

/** Deeper nesting than this is no honest answer. */
export const depthLimit = 500

/** One member of an object: its key with escapes resolved, and where its value stands. */
export interface Member {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** What a scan of one object found. */
export interface Scan {
  /** The members whose key is wanted, in order, repetitions included. */
  readonly members: readonly Member[]
  /** How deep the object nests; 1 for a flat one. */
  readonly depth: number
}

const blank = /[\t\n\r ]*/y
const string = /"/y
const primitive = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Scans the object that opens at `open`. The text must be JSON already. */
export function scanObject(text: string, open: number, wanted: ReadonlySet<string>): Scan {
  const members: Member[] = []
  let key: string | undefined
  let start = 0
  let level = 0
  let depth = 0
  const close = (end: number): void => {
    if (key !== undefined && wanted.has(key)) members.push({ key, start, end: lastOf(text, end) })
    key = undefined
  }
  for (let at = open; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (level === 1 && key === undefined) {
        key = keyAt(text, at, end)
        start = after(blank, text, after(blank, text, end) + 1)
        at = start - 1
      } else at = end - 1
    } else if (char === '{' || char === '[') {
      level++
      if (level > depth) depth = level
    } else if (char === '}' || char === ']') {
      level--
      if (level === 0) {
        close(at)
        break
      }
    } else if (char === ',' && level === 1) close(at)
  }
  return { members, depth }
}

/** Where the object that opens at `open` closes (one past the brace), counting braces outside strings; -1 when it never does. */
export function closesAt(text: string, open: number): number {
  let level = 0
  for (let at = open; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (end === -1) return -1
      at = end - 1
    } else if (char === '{') level++
    else if (char === '}') {
      level--
      if (level === 0) return at + 1
    }
  }
  return -1
}

/** The offset at which a text stops being JSON; its length when something is missing at the end. */
export function whereJsonBreaks(text: string): number {
  const open: string[] = []
  let at = after(blank, text, 0)
  for (;;) {
    const char = text[at]
    if (char === '{' || char === '[') {
      const inner = after(blank, text, at + 1)
      if (text[inner] === (char === '{' ? '}' : ']')) at = inner + 1
      else {
        open.push(char)
        at = inner
        if (char === '{') {
          const value = afterKey(text, at)
          if (value < 0) return -value - 1
          at = value
        }
        continue
      }
    } else {
      const end = char === '"' ? endOfString(text, at) : after(primitive, text, at)
      if (end === at) return at
      if (end === -1) return text.length
      at = end
    }
    // After a value: closing brackets, then a comma or the end.
    for (;;) {
      at = after(blank, text, at)
      const top = open.at(-1)
      if (top === undefined) return at
      if (text[at] === (top === '{' ? '}' : ']')) {
        open.pop()
        at++
        continue
      }
      if (text[at] !== ',') return at
      at = after(blank, text, at + 1)
      if (top === '{') {
        const value = afterKey(text, at)
        if (value < 0) return -value - 1
        at = value
      }
      break
    }
  }
}

/** Where the value after the key at `at` starts; negative, as `-offset - 1`, where there is no key or colon. */
function afterKey(text: string, at: number): number {
  if (after(string, text, at) === at) return -at - 1
  const end = endOfString(text, at)
  if (end === -1) return -text.length - 1
  const colon = after(blank, text, end)
  return text[colon] === ':' ? after(blank, text, colon + 1) : -colon - 1
}

/** One past the closing quote of the string that opens at `open`; -1 when it never closes. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slash = at - 1
    while (slash > open && text[slash] === '\\') slash--
    if ((at - slash) % 2 === 1) return at + 1
  }
  return -1
}

function keyAt(text: string, start: number, end: number): string {
  const raw = text.slice(start, end)
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

/** `end` without the blanks before it. */
function lastOf(text: string, end: number): number {
  let at = end
  while (at > 0 && /[\t\n\r ]/.test(text[at - 1] ?? '')) at--
  return at
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
