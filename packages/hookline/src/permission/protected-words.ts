/** Words of a tool call as paths: where a shell would look, with variables, patterns and changes of folder taken into account. */
import { anyName, type Deed, type ProtectedPath, type ProtectedPaths } from './protected-paths.ts'
import { type ShellWord, UNKNOWN } from './shell/word.ts'

/** Where the words of a call are looked up. */
export interface Surroundings {
  readonly paths: ProtectedPaths
  /** Every folder that plain paths may be relative to. */
  readonly folders: readonly string[]
  readonly home?: string
  /** The value of an environment variable that is known beforehand. */
  readonly variable?: (name: string) => string | undefined
  /** Where a path leads when its links are followed. */
  readonly realPath?: (path: string) => string | undefined
  /** The protected path that is the same file as this one under another name. */
  readonly twin?: (path: string, protectedPaths: readonly string[]) => string | undefined
}

/** What a word names: something protected, nothing protected, or it cannot be told before it runs. */
export type Named = ProtectedPath | 'cannot-tell' | undefined

/** Looks a plain path up, as written and where it leads. */
export function findPath(text: string, around: Surroundings, deed: Deed = 'write'): ProtectedPath | undefined {
  if (text === '') return undefined
  const { paths, realPath } = around
  for (const path of wholePaths(text.length > longest ? shortened(text) : text, around)) {
    const found = paths.find(path, deed)
    if (found !== undefined) return found
    const real = path.includes(anyName) ? undefined : realPath?.(path)
    const led = real === undefined || real === path ? undefined : paths.find(real, deed)
    if (led !== undefined) return led
    const twin = real === undefined ? undefined : around.twin?.(real, paths.files)
    if (twin !== undefined) return paths.find(twin, deed)
  }
  return undefined
}

/** A disk takes no longer path, but a tool may work one out to something short before it asks the disk. */
const longest = 4_096

function shortened(text: string): string {
  const names: string[] = []
  for (const name of text.split(/[\\/]/)) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..' && names.at(-1) !== '') names.pop()
    else if (name !== '.' && (name !== '' || names.length === 0)) names.push(name)
  }
  return names.join('/')
}

/** Looks a word of a command up. */
export function findWord(word: ShellWord, around: Surroundings, deed: Deed = 'write'): Named {
  if (word.literal) return findPath(word.text, around, deed)
  const text = known(word, around)
  if (text === undefined || text.includes(UNKNOWN)) {
    const tail = (text ?? word.text).slice((text ?? word.text).lastIndexOf(UNKNOWN) + UNKNOWN.length)
    return around.paths.findTail(tail) ?? 'cannot-tell'
  }
  return findPath(text, around, deed)
}

/** What a search from this folder finds under this name, which may be a pattern, or a pattern for the whole path. */
export function findBelow(root: ShellWord, name: string, around: Surroundings): ProtectedPath | undefined {
  const folders = root.literal ? wholePaths(root.text, around) : []
  const patterns = name.replace(/\*+|\?|\[[^\]]*\]/g, anyName)
  for (const folder of folders) {
    const found = around.paths.findBelow(folder, patterns)
    if (found !== undefined) return found
  }
  return undefined
}

/** The word with variables filled in and patterns marked; `UNKNOWN` stays where nothing is known. */
export function known({ raw, text }: ShellWord, { variable, home }: Surroundings): string | undefined {
  // Words that a program makes up for another one have no text of their own.
  if (raw.includes(UNKNOWN) || raw.length > 4_096) return undefined
  if (/\$\(|`|\$\{[^}]*[^\w}][^}]*\}/.test(raw)) return text
  let quote = ''
  let out = ''
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] as string
    if (quote === "'" ? char === "'" : char === quote) quote = ''
    else if (quote === "'") out += char
    else if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (char === '\\') out += raw[++at] ?? ''
    else if (char === '$') {
      const [whole = '', braced, plain] = /^\$(?:\{(\w+)\}|(\w+))/.exec(raw.slice(at)) ?? []
      const name = braced ?? plain
      if (name === undefined) out += char
      else {
        out += variable?.(name) ?? (name === 'HOME' ? home : undefined) ?? UNKNOWN
        at += whole.length - 1
      }
    } else if (quote === '' && /[*?]/.test(char)) out += anyName
    else if (quote === '' && char === '[' && raw.indexOf(']', at) > at) {
      out += anyName
      at = raw.indexOf(']', at)
    } else out += char
  }
  return out
}

function wholePaths(text: string, { folders, home }: Surroundings): readonly string[] {
  if (/^~(?=[\\/]|$)/.test(text)) return home === undefined ? [] : [`${home}${text.slice(1)}`]
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(text)) return [text]
  if (/^file:/i.test(text)) return [fileOf(text)]
  return folders.map((folder) => `${folder}/${text}`)
}

function fileOf(url: string): string {
  const path = url.replace(/^file:(?:\/\/[^/]*)?/i, '').replace(/^\/(?=[A-Za-z]:)/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
