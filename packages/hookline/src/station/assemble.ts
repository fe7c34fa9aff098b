/** Puts engine, handlers and station together; both doors of the package open their Hookline here. */

import type { PlainInput } from '../engine/check-input.ts'
import { checkOptions } from '../engine/check-options.ts'
import type { EngineParts } from '../engine/engine.ts'
import type { HooklineScope } from '../engine/hookline.ts'
import { openHookline } from '../engine/open.ts'
import type { EngineOptions } from '../engine/options.ts'
import type { NamedRow } from '../protocol/events.ts'
import type { HandlerRunner } from '../protocol/runner.ts'
import { station } from './station.ts'

/** What a door brings beside the options: the loaded settings, the handlers, and the ports it has. */
export interface Assembly extends Partial<Omit<EngineParts, 'snapshot' | 'runners' | 'events'>> {
  readonly snapshot: EngineParts['snapshot']
  readonly runners: readonly HandlerRunner[]
  readonly projectDir?: string
}

/** @throws HooklineError `invalid-option`, `unknown-event`. */
export function assemble(options: EngineOptions, { projectDir, ...parts }: Assembly): HooklineScope {
  checkOptions(options)
  const hookline = openHookline(
    {
      ...parts,
      stopBlockCap: options.stopBlockCap ?? parts.stopBlockCap ?? 8,
      keepTrace: options.keepTrace ?? 0,
      events: (options.events ?? []) as unknown as readonly NamedRow[],
      ...(options.interactive === undefined ? {} : { interactive: options.interactive }),
      ...(options.onNotice === undefined ? {} : { onNotice: options.onNotice }),
      ...(options.onRewake === undefined ? {} : { onRewake: options.onRewake }),
    },
    {
      cwd: options.cwd ?? '',
      station: station(options.permissions),
      ...(options.sessionId === undefined ? {} : { sessionId: options.sessionId }),
      ...(options.transcriptPath === undefined ? {} : { transcriptPath: options.transcriptPath }),
      ...(options.base === undefined ? {} : { live: options.base as (event: string) => PlainInput }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(projectDir === undefined ? {} : { projectDir }),
    },
  )
  if (options.hooks !== undefined) hookline.on(options.hooks)
  return hookline
}
