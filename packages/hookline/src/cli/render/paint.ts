/** Colours: whether there are any, and the few that are used. */

/** Puts a colour around text, or leaves it as it is. */
export type Brush = (text: string) => string

export interface Paint {
  readonly bold: Brush
  readonly dim: Brush
  readonly red: Brush
  readonly green: Brush
  readonly yellow: Brush
}

/** What decides about colours. */
export interface PaintOptions {
  readonly color: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly tty: boolean
}

const brush =
  (on: boolean, open: number, close: number): Brush =>
  (text) =>
    on && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text

/** The colours of one stream: `--no-color` wins over NO_COLOR, that over FORCE_COLOR, that over what the stream is. */
export function paintFor(options: PaintOptions): Paint {
  const on = hasColor(options)
  return { bold: brush(on, 1, 22), dim: brush(on, 2, 22), red: brush(on, 31, 39), green: brush(on, 32, 39), yellow: brush(on, 33, 39) }
}

function hasColor({ color, env, tty }: PaintOptions): boolean {
  if (!color || (env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  return tty && env['TERM'] !== 'dumb'
}
