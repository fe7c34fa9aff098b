/** Makes every character visible that a screen hides, turns or obeys, so that what is read is what runs. */

const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u2800\u3164\uffa0]|[\u17b4\u17b5]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\p{Surrogate}/gu

/** One line in which each such character is written as `<U+202E>`. Nothing is left out and nothing is cut. */
export function visible(line: string): string {
  return line.replace(hidden, (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
}
