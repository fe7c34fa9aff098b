/** Opens a Hookline from its parts: what both doors call, so that the engine in code and the engine on files are one. */
import { HooklineError } from '../errors.ts'
import type { Trust } from '../protocol/ports.ts'
import { Engine, type EngineParts } from './engine.ts'
import { HooklineScope } from './hookline.ts'
import type { Station } from './seat.ts'

/** What opening takes beside the engine's parts. */
export interface OpenOptions {
  readonly sessionId?: string
  readonly cwd: string
  readonly transcriptPath?: string
  readonly projectDir?: string
  readonly station: Station
  readonly signal?: AbortSignal
}

const noTrust: Trust = {
  pending: [],
  async answer() {},
  async revoke() {},
}

/** @throws HooklineError `invalid-option` when an option has the wrong type. */
export function openHookline(parts: EngineParts, options: OpenOptions): HooklineScope {
  checkOptions(parts, options)
  const sessionId = options.sessionId ?? crypto.randomUUID()
  const engine = new Engine(parts)
  const hookline = new HooklineScope({
    engine,
    station: options.station,
    session: { sessionId, spent: new Set(), dynamicWatch: [] },
    base: { session_id: sessionId, transcript_path: options.transcriptPath ?? '', cwd: options.cwd },
    projectDir: options.projectDir ?? options.cwd,
    trust: parts.desk ?? noTrust,
  })
  parts.desk?.attach(engine, hookline.closing)
  const { signal } = options
  if (signal !== undefined) {
    const close = () => void hookline.close().catch(() => undefined)
    if (signal.aborted) close()
    else {
      signal.addEventListener('abort', close, { once: true })
      hookline.closing.addEventListener('abort', () => signal.removeEventListener('abort', close), { once: true })
    }
  }
  return hookline
}

function checkOptions(parts: EngineParts, options: OpenOptions): void {
  const wrong = (name: string, need: string) => {
    throw new HooklineError('invalid-option', `Option "${name}" must be ${need}.`)
  }
  if (options.sessionId !== undefined && (typeof options.sessionId !== 'string' || options.sessionId === '')) wrong('sessionId', 'a string that is not empty')
  if (typeof options.cwd !== 'string') wrong('cwd', 'a string')
  if (!Number.isInteger(parts.stopBlockCap) || parts.stopBlockCap < 0) wrong('stopBlockCap', 'a whole number from 0')
  if (!Number.isInteger(parts.keepTrace) || parts.keepTrace < 0) wrong('keepTrace', 'a whole number from 0')
}
