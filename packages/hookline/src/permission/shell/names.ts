/** Other spellings of a program's name, and of a whole command: paths, `.exe`, upper case, look-alike letters. */
import { plainWord, type ShellWord, UNKNOWN } from './word.ts'

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A program as other words for the same command; `sure` when the shell would run the same program. */
export interface Spelling {
  readonly words: readonly ShellWord[]
  readonly sure: boolean
}

/** The command under the other names that its program goes by. The first word is the program. */
export function otherNames(words: readonly ShellWord[]): Spelling[] {
  const [name, ...args] = words
  if (name === undefined) return []
  const spellings: Spelling[] = []
  let text = name.text
  let sure = name.literal
  if (text.includes('/')) {
    sure = sure && text.startsWith('/') && !text.includes('/git-core/')
    text = baseName(text)
    spellings.push({ words: [plainWord(text), ...args], sure })
  }
  if (text.includes(UNKNOWN)) return spellings
  const plain = text.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '')
  if (plain !== text) spellings.push({ words: [plainWord(plain), ...args], sure: false })
  const dashed = /^git-(.+)$/.exec(plain)
  if (dashed) spellings.push({ words: [plainWord('git'), plainWord(dashed[1] ?? ''), ...args], sure: false })
  return spellings
}

// Cyrillic and Greek letters that look like Latin ones in most fonts.
const twins: Readonly<Record<string, string>> = {
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  ӏ: 'l',
  ո: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  у: 'y',
  ԝ: 'w',
  х: 'x',
  ѵ: 'v',
  ɡ: 'g',
  ɩ: 'i',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  α: 'a',
  ι: 'i',
  κ: 'k',
  τ: 't',
  υ: 'u',
  χ: 'x',
  А: 'A',
  В: 'B',
  С: 'C',
  Е: 'E',
  Н: 'H',
  І: 'I',
  Ј: 'J',
  К: 'K',
  М: 'M',
  О: 'O',
  Р: 'P',
  Ѕ: 'S',
  Т: 'T',
  Х: 'X',
  У: 'Y',
  ı: 'i',
}

/** Characters that a screen does not show, or shows as a plain blank. */
export const hidden = /[\p{Cf}\p{Zl}\p{Zp}\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}\u{115F}\u{1160}\u{3164}\u{FFA0}]|(?! )\p{Zs}/u

/** What a person would read in the command: look-alikes in Latin letters, odd blanks as blanks, unseen characters gone. */
export function asSeen(command: string): string {
  return command
    .normalize('NFKC')
    .replace(/[\v\f\r]|\p{Zs}|[\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu, ' ')
    .replace(/[\p{Cf}\u{0}-\u{8}\u{B}-\u{1F}\u{7F}-\u{9F}]/gu, '')
    .replace(/[^\u{0}-\u{7F}]/gu, (c) => twins[c] ?? c)
}
