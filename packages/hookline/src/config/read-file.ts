/** Reads one settings file for loading: absent, sound, broken, or broken now and sound before. */
import type { Diagnostic } from '../protocol/diagnostic.ts'
import { diagnose, Findings } from './findings.ts'
import type { FileRead, FilesPort } from './ports.ts'
import { maxBytes, readSettings } from './read-settings.ts'
import type { ObjectTree } from './tree.ts'

/** A file that was looked for. `findings` collects what is found in it later on. */
export type SettingsFile =
  /** `link`: it stands in its folder, as a link that leads to nothing. */
  | { readonly kind: 'absent'; readonly link?: true }
  | { readonly kind: 'broken'; readonly diagnostics: readonly Diagnostic[] }
  | {
      readonly kind: 'sound' | 'kept'
      readonly text: string
      readonly tree: ObjectTree
      readonly findings: Findings
      readonly realPath: string
      readonly read?: FileRead
    }

/** A text that was good at the last load, and where the file really was. */
export interface LastGood {
  readonly text: string
  readonly realPath: string
}

/** What `readFile` is told. */
export interface ReadFileOptions {
  readonly files: FilesPort
  /** How the file is named in findings. */
  readonly shown: string
  readonly last?: LastGood | undefined
}

/** Reads a file. One that cannot be read now keeps its last good text and says so (design decision 21). */
export async function readFile(path: string, { files, shown, last }: ReadFileOptions): Promise<SettingsFile> {
  const read = await files.read(path, maxBytes)
  if (read.kind === 'missing') return { kind: 'absent', ...(read.link && { link: true }) }
  if (read.kind !== 'text') {
    const code = read.kind === 'too-large' ? 'too-large' : 'unreadable-file'
    return brokenOrKept([diagnose(code, wordsOf(read), { file: shown })], { shown, last })
  }
  const { tree, findings } = readSettings(read.text, shown)
  if (tree === undefined) return brokenOrKept(findings.list, { shown, last })
  return { kind: 'sound', text: read.text, tree, findings, realPath: read.realPath, read }
}

function brokenOrKept(diagnostics: readonly Diagnostic[], { shown, last }: { shown: string; last: LastGood | undefined }): SettingsFile {
  if (last === undefined) return { kind: 'broken', diagnostics }
  const before = readSettings(last.text, shown)
  if (before.tree === undefined) return { kind: 'broken', diagnostics }
  const cause = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]
  // Places of the old text would point into the new one, so what was found in it before is not said again.
  const findings = new Findings(shown, before.findings.locate)
  findings.list.push(
    diagnose('kept-last-good', `kept the last good hooks: ${cause?.message ?? 'the file cannot be read'}`, {
      hint: 'They stay in force until the file is put right.',
      file: shown,
      ...(cause?.line === undefined ? {} : { line: cause.line }),
      ...(cause?.column === undefined ? {} : { column: cause.column }),
    }),
  )
  return { kind: 'kept', text: last.text, realPath: last.realPath, tree: before.tree, findings }
}

/** Why a file that is there gives no text. */
export function wordsOf(read: Exclude<FileRead, { kind: 'text' | 'missing' }>): string {
  if (read.kind === 'directory') return 'a folder stands where a file is expected'
  return read.kind === 'too-large' ? `the file has ${read.bytes} bytes; files over 10 MB are not read` : `the file cannot be read: ${read.why}`
}
