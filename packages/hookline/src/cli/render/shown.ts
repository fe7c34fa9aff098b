/** Makes text that came from settings, hooks or files fit for a terminal. */

const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
const invisible = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The text without terminal sequences, control characters and marks that hide or turn words; newlines and tabs stay. */
export function shown(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The same in one line of at most `limit` characters. */
export function shownLine(text: string, limit = 200): string {
  const line = shown(text).replace(/\s+/g, ' ').trim()
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}

/** Later lines stand below the first, moved in by `by` blanks. */
export function indented(text: string, by: number): string {
  return text.trimEnd().replaceAll('\n', `\n${' '.repeat(by)}`)
}

/** `1 hook`, `2 hooks`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
