/** Text with stars against text: the one wildcard that tool names, arguments and shell patterns share. */

/** Whether the text is covered by the pattern, in which `star` (one character) stands for anything, nothing included. */
export function matchesStars(pattern: string, text: string, star = '*'): boolean {
  // Greedy, with one step back to the latest star: no pattern can make it slow.
  let p = 0
  let t = 0
  let latest = -1
  let mark = 0
  while (t < text.length) {
    if (pattern[p] === star) {
      latest = p++
      mark = t
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++
      t++
    } else if (latest >= 0) {
      p = latest + 1
      t = ++mark
    } else {
      return false
    }
  }
  while (pattern[p] === star) p++
  return p === pattern.length
}
