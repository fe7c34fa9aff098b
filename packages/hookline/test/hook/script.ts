/** Runs hook files as real scripts, against the door compiled from source. */
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** What a script did. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder with the compiled door in it. */
export class HookFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-hook-')))

  /** The source files that an import of the door loads before anything runs. */
  loadedAtOnce: readonly string[] = []

  /** Compiles `hookline/hook` into the folder, as `./hook.mjs`. */
  async compile(): Promise<void> {
    const { outputs } = (
      await build({
        absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
        entryPoints: ['src/hook.ts'],
        outdir: this.path,
        bundle: true,
        splitting: true,
        format: 'esm',
        platform: 'neutral',
        outExtension: { '.js': '.mjs' },
        metafile: true,
        logLevel: 'error',
      })
    ).metafile
    const entry = Object.values(outputs).find((output) => output.entryPoint === 'src/hook.ts')
    const chunks = entry?.imports.filter((one) => one.kind === 'import-statement').map((one) => outputs[one.path]) ?? []
    this.loadedAtOnce = [entry, ...chunks].flatMap((output) => Object.keys(output?.inputs ?? {}))
    writeFileSync(join(this.path, 'package.json'), '{ "type": "module" }')
  }

  /** Writes a file whose first lines import the whole door. */
  write(name: string, body: string): string {
    const path = join(this.path, name)
    writeFileSync(path, `import { allow, ask, block, context, defer, defineHook, deny, stop } from './hook.mjs'\n${body}\n`)
    return path
  }

  /** Runs a script with a text, or texts one after the other, on stdin. */
  run(script: string, stdin: string, env: Record<string, string> = {}): Promise<Run> {
    return new Promise((done) => {
      const child = spawn(process.execPath, [script], { cwd: this.path, env: { PATH: process.env['PATH'] ?? '', ...env } })
      let stdout = ''
      let stderr = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
      child.on('close', (code) => done({ code, stdout, stderr }))
      child.stdin.on('error', () => {}).end(stdin)
    })
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** An event as a host writes it to stdin. */
export function event(name: string, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({ session_id: 's-1', transcript_path: '', cwd: '/', hook_event_name: name, ...fields })
}
