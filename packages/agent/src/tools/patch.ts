/** The difference of two texts as hunks, as `tool_response.structuredPatch` carries them. */
import { structuredPatch } from 'diff'

export interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: string[]
}

// Past this, finding the shortest difference takes longer than it is worth.
const limits = { context: 3, timeout: 5000, maxEditLength: 20_000 }

/** Empty when the texts are equal, or too different to be compared in time. */
export function patchOf(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', limits)
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines })) ?? []
}
