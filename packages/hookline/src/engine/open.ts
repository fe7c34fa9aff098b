/** Opens a Hookline from its parts: what both doors call, so that the engine in code and the engine on files are one. */
import type { Trust } from '../protocol/ports.ts'
import type { PlainInput } from './check-input.ts'
import { Engine, type EngineParts } from './engine.ts'
import { HooklineScope } from './hookline.ts'
import type { Station } from './seat.ts'

/** What opening takes beside the engine's parts. */
export interface OpenOptions {
  readonly sessionId?: string
  readonly cwd: string
  readonly transcriptPath?: string
  readonly live?: (event: string) => PlainInput
  readonly projectDir?: string
  readonly station: Station
  readonly signal?: AbortSignal
}

const noTrust: Trust = {
  pending: [],
  async answer() {},
  async revoke() {},
}

/** Makes the engine and the scope of its own session. */
export function openHookline(parts: EngineParts, options: OpenOptions): HooklineScope {
  const sessionId = options.sessionId ?? crypto.randomUUID()
  const engine = new Engine(parts)
  const hookline = new HooklineScope({
    engine,
    station: options.station,
    session: { sessionId, spent: new Set(), dynamicWatch: [] },
    base: { session_id: sessionId, transcript_path: options.transcriptPath ?? '', cwd: options.cwd },
    ...(options.live === undefined ? {} : { live: options.live }),
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
