/** "Did you mean": the known name closest to one that was written. */

/** The closest candidate, by case, by few edits, or by its beginning; `undefined` when none is close. */
export function nearest(written: string, candidates: readonly string[]): string | undefined {
  if (written.length > 64) return undefined
  const folded = fold(written)
  const same = candidates.find((candidate) => candidate !== written && fold(candidate) === folded)
  if (same !== undefined) return same
  const allowed = Math.min(3, Math.floor(written.length / 3))
  let best: string | undefined
  let fewest = allowed + 1
  for (const candidate of candidates) {
    if (candidate === written || Math.abs(candidate.length - written.length) >= fewest) continue
    const count = edits(written.toLowerCase(), candidate.toLowerCase(), fewest)
    if (count < fewest) {
      best = candidate
      fewest = count
    }
  }
  return best ?? begunBy(folded, candidates)
}

/** The only candidate that begins with what was written, when that is at least half of it. */
function begunBy(folded: string, candidates: readonly string[]): string | undefined {
  const longer =
    folded.length < 4
      ? []
      : candidates.filter((candidate) => fold(candidate).startsWith(folded) && fold(candidate) !== folded && candidate.length <= folded.length * 2)
  return longer.length === 1 ? longer[0] : undefined
}

/** Case, hyphens, underscores and blanks do not tell names apart here. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '')
}

/** Edits (insert, delete, replace, swap neighbours) from one text to the other; stops counting at `limit`. */
function edits(a: string, b: string, limit: number): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(change, swap, (last[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    if (Math.min(...row) >= limit && Math.min(...last) >= limit) return limit
    before = last
    last = row
  }
  return last[b.length] as number
}
