/** `hookline validate`: mistakes in settings files, for people, programs and CI. */
import { type Diagnostic, HooklineError, validateSettings } from '../../index.ts'
import { sourcesOf } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'
import { openHookline } from '../opening.ts'
import { packageVersion } from '../package-version.ts'
import { readText } from '../read-input.ts'
import { diagnosticText } from '../render/diagnostics.ts'
import { githubText } from '../render/github.ts'
import { sarif } from '../render/sarif.ts'
import { count } from '../render/shown.ts'
import { thisMachine } from '../surroundings.ts'
import { jsonText } from '../terminal.ts'

/** Options of `validate` beside the common ones. */
export interface ValidateOptions extends GlobalOptions {
  format?: 'text' | 'json' | 'sarif' | 'github'
  strict?: true
}

/** What `validate --json` prints (contract §8). */
export interface ValidationDocument {
  readonly version: 1
  readonly kind: 'validation'
  readonly files: readonly { readonly file: string; readonly ok: boolean }[]
  readonly errors: number
  readonly warnings: number
  readonly diagnostics: readonly Diagnostic[]
}
interface Validated {
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Validates the files, or all sources of the folder. Gives 1 when there are errors. @throws Failure. */
export async function validate(files: readonly string[], options: ValidateOptions, context: CommandContext): Promise<Exit> {
  const { terminal } = context
  const cwd = folderOf(options)
  const found = files.length === 0 ? await validateSources(options, cwd) : await validateFiles(files, cwd)
  const tally = (severity: Diagnostic['severity']) => found.diagnostics.filter((one) => one.severity === severity).length
  const errors = tally('error')
  const warnings = tally('warning')
  const document: ValidationDocument = {
    version: 1,
    kind: 'validation',
    files: found.files.map((file) => ({ file, ok: !found.diagnostics.some((one) => one.file === file && one.severity === 'error') })),
    errors,
    warnings,
    diagnostics: found.diagnostics,
  }
  const format = options.format ?? (terminal.form === 'text' ? 'text' : 'json')
  if (format === 'json') terminal.print(jsonText(document, terminal.form === 'lines' ? 0 : 2))
  else if (format === 'sarif') terminal.print(jsonText(sarif(found.diagnostics, { cwd, version: packageVersion(context.dist) }), 2))
  else if (format === 'github') terminal.print(githubText(found.diagnostics, { cwd }))
  else printText(document, { context, cwd })
  return errors > 0 || (options.strict && warnings > 0) ? exits.findings : exits.goOn
}

function printText(
  { files, errors, warnings, diagnostics }: ValidationDocument,
  { context: { terminal }, cwd }: { context: CommandContext; cwd: string },
): void {
  terminal.print(diagnostics.map((one) => diagnosticText(one, { paint: terminal.paint, cwd, links: true })).join('\n'))
  if (files.length === 0 && diagnostics.length === 0) terminal.note('No settings files here. `hookline init` writes a first one.')
  else terminal.note(`${count(files.length, 'file')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}.`)
}

async function validateFiles(files: readonly string[], cwd: string): Promise<Validated> {
  const machine = thisMachine()
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    try {
      const { text, name } = await readText(file, { option: 'validate' })
      diagnostics.push(...validateSettings(text, { file: name, projectDir: cwd, ...machine }))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      diagnostics.push({
        severity: 'error',
        code: error.code,
        message: error.message,
        ...(error.details.hint === undefined ? {} : { hint: error.details.hint }),
        file,
      })
    }
  }
  return { files, diagnostics }
}

/** Every file that counts here, with what only shows when they are loaded together. */
async function validateSources(options: ValidateOptions, cwd: string): Promise<Validated> {
  const { hookline, policy } = await openDespitePolicy(options)
  try {
    const machine = thisMachine()
    const sources = sourcesOf(hookline).filter((source) => source.path !== undefined && source.state !== 'absent')
    const diagnostics: Diagnostic[] = [...policy, ...hookline.diagnostics]
    for (const source of sources) {
      const { path = '', kind, id } = source
      const file = nameOf(source)
      const text = await readText(path, { option: 'validate' }).then(
        (read) => read.text,
        () => undefined,
      )
      if (text === undefined) continue
      const own = validateSettings(text, {
        file,
        kind,
        id,
        projectDir: cwd,
        ...(kind === 'plugin' ? { pluginRoot: path.replace(/[\\/][^\\/]+[\\/][^\\/]+$/, '') } : {}),
        ...machine,
      })
      diagnostics.push(...own.filter((one) => !diagnostics.some((other) => isSame(one, other))))
    }
    return { files: [...new Set(sources.map(nameOf))], diagnostics: inOrder(diagnostics) }
  } finally {
    await hookline.close()
  }
}

function nameOf({ file, path = '' }: { readonly file?: string; readonly path?: string }): string {
  return file ?? path
}

/** A policy that stops the start is itself a finding; the rest is looked at all the same. */
async function openDespitePolicy(options: ValidateOptions): Promise<{ hookline: Awaited<ReturnType<typeof openHookline>>; policy: Diagnostic[] }> {
  try {
    return { hookline: await openHookline(options, { broken: 'keep' }), policy: [] }
  } catch (error) {
    if (!(error instanceof HooklineError) || error.code !== 'policy-unreadable') throw error
    const { code, message, hint, file, line, column } = error
    const policy: Diagnostic = {
      severity: 'error',
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    }
    return { hookline: await openHookline(options, { broken: 'keep', sources: ['builtin', 'plugin', 'user', 'project', 'local'] }), policy: [policy] }
  }
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.file === b.file && a.line === b.line && a.column === b.column
}

/** By file, then as the file goes; what has no file comes last. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map((one) => one.file))]
  const rank = (one: Diagnostic) => (one.file === undefined ? files.length : files.indexOf(one.file))
  return diagnostics.toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}
