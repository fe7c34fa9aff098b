/** Two texts side by side, line by line: what stayed, what went, what came. */

/** One line of either text. */
export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly line: string
}

/** Longer texts are shown one after the other: comparing them line by line would take too long. */
const mostCells = 4_000_000

/** All lines of both texts; those that both have stand once. */
export function differences(before: string, after: string): DifferenceLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const same = (lines: readonly string[]): DifferenceLine[] => lines.map((line) => ({ kind: 'same', line }))
  return [...same(old.slice(0, start)), ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)), ...same(old.slice(old.length - end))]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** The longest common part, worked out from the end. */
function middle(old: readonly string[], now: readonly string[]): DifferenceLine[] {
  const removed = (line: string): DifferenceLine => ({ kind: 'removed', line })
  const added = (line: string): DifferenceLine => ({ kind: 'added', line })
  if (old.length * now.length > mostCells) return [...old.map(removed), ...now.map(added)]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DifferenceLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', line: old[i++] as string })
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(removed(old[i++] as string))
    else lines.push(added(now[j++] as string))
  }
  return [...lines, ...old.slice(i).map(removed), ...now.slice(j).map(added)]
}
