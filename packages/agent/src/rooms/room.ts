/** What a room adds to a session: doors for tools, readers of prompts, texts for the model, and an end. */

import type { SessionHandle } from '../session/handle.ts'
import type { Expander, NoteSource, Starter } from '../session/options.ts'
import type { Services } from '../tools/tool.ts'

export interface Room {
  readonly services?: Partial<Services>
  readonly expander?: Expander
  readonly starter?: Starter
  readonly note?: NoteSource
  /** Called once, before SessionStart. */
  open?(session: SessionHandle): Promise<void> | void
  /** Harmless to call twice, and before `open`. */
  close?(): Promise<void>
}
