/** Writes a large input down as JSON in slices, so that the host's event loop never waits long; the text is that of `JSON.stringify`. */

/** Characters of one slice: some milliseconds of work. */
export const sliceLength = 262_144

// What stands for a member beside its text, so that a million numbers weigh something, too.
const memberWeight = 8

/** What is left of `room` after a value; negative when it does not fit, and then nothing beyond that was looked at. */
export function weigh(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - memberWeight
  if (typeof value !== 'object' || value === null) return room - memberWeight
  // What it will be is not known before it is asked, and a cycle never fits.
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return -1
  let left = room - memberWeight
  for (const key of Object.keys(value)) {
    if (left < 0) return left
    left = weigh((value as Record<string, unknown>)[key], left - key.length)
  }
  return left
}

/**
 * The text of a value, in parts of at most about `length` characters each of which costs as much.
 * @throws TypeError when it cannot be written as JSON.
 */
export function* slicesOf(value: unknown, length = sliceLength): Generator<string> {
  let text = ''
  for (const part of partsOf(value, { key: '', above: [], length })) {
    text += part
    if (text.length < length) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

interface Site {
  readonly key: string
  readonly above: readonly unknown[]
  readonly length: number
}

/** Nothing at all for what JSON leaves out. */
function* partsOf(given: unknown, { key, above, length }: Site): Generator<string> {
  const value = plain(given, key)
  if (typeof value === 'string' && value.length > length) return yield* partsOfText(value, length)
  if (typeof value !== 'object' || value === null || weigh(value, length) >= 0) {
    const text = JSON.stringify(value)
    if (text !== undefined) yield text
    return
  }
  if (above.includes(value)) throw new TypeError('Converting circular structure to JSON')
  const inside = { above: [...above, value], length }
  if (Array.isArray(value)) {
    yield '['
    for (let index = 0; index < value.length; index++) {
      if (index > 0) yield ','
      let written = false
      for (const part of partsOf(value[index], { ...inside, key: String(index) })) {
        written = true
        yield part
      }
      if (!written) yield 'null'
    }
    return yield ']'
  }
  let opening = '{'
  for (const name of Object.keys(value)) {
    let before: string | undefined = `${opening}${JSON.stringify(name)}:`
    for (const part of partsOf((value as Record<string, unknown>)[name], { ...inside, key: name })) {
      yield before === undefined ? part : before + part
      before = undefined
    }
    if (before === undefined) opening = ','
  }
  yield opening === '{' ? '{}' : '}'
}

/** A value as JSON sees it. */
function plain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  const said: unknown = typeof toJSON === 'function' ? toJSON.call(value, key) : value
  return said instanceof String || said instanceof Number || said instanceof Boolean ? said.valueOf() : said
}

function* partsOfText(text: string, length: number): Generator<string> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    const most = Math.min(text.length, from + length)
    // Both halves of a character belong into one part: alone, each would be written as an escape.
    const end = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(most - 1, most + 1)) ? most + 1 : most
    yield JSON.stringify(text.slice(from, end)).slice(1, -1)
    from = end
  }
  yield '"'
}

/** The bytes of a value, written in slices with a turn of the event loop after each. Rejects when it cannot be written as JSON. */
export async function encodeSliced(value: unknown): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  let size = 0
  for (const text of slicesOf(value)) {
    const piece = encoder.encode(text)
    pieces.push(piece)
    size += piece.length
    await turn()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
    await turn()
  }
  return whole
}

/** Lets everything else go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    // A timer would wait a millisecond each time; not every runtime has the other one.
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}
