/** `hookline init`: writes a first settings file with one hook that works; what is there already is kept. */
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { addHook } from '../add-hook.ts'
import { hookGroup, script, scriptPath } from '../block-rm.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import type { GlobalOptions } from '../flags.ts'
import { folderOf } from '../folder.ts'

const settingsPath = '.claude/settings.json'
const schemaUrl = 'https://hookline.dev/schema/settings.schema.json'
const next = `hookline fire PreToolUse --tool Bash --tool-input '{"command":"rm -rf /"}' --trust`

/** @throws Failure with exit 1 when the file that is there cannot be added to. */
export async function init(options: GlobalOptions, { terminal }: CommandContext): Promise<Exit> {
  const folder = folderOf(options)
  const settings = join(folder, settingsPath)
  for (const path of [settingsPath, scriptPath]) stayInside(folder, path)
  const there = existsSync(settings)
  const text = there ? added(readSettings(settings)) : `${JSON.stringify({ $schema: schemaUrl, hooks: { PreToolUse: [hookGroup] } }, null, 2)}\n`
  const written: string[] = []
  const kept: string[] = []
  try {
    if (text === undefined) kept.push(settingsPath)
    writeScript(join(folder, scriptPath), { written, kept })
    if (text !== undefined) {
      mkdirSync(dirname(settings), { recursive: true })
      writeFileSync(settings, text, { flag: there ? 'w' : 'wx' })
      written.unshift(settingsPath)
    }
  } catch (error) {
    throw new Failure('cannot-write', `init: cannot write in ${folder} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`, {
      exit: exits.findings,
      hint: 'Look at the permissions of the folder.',
    })
  }
  terminal.show({ version: 1, kind: 'init', written, kept, next }, () => words({ written, kept, added: there }))
  return exits.goOn
}

/** A folder from elsewhere may bring links: what they lead to, such as the settings of the user, is not written. */
function stayInside(folder: string, path: string): void {
  let there = join(folder, path)
  while (!existsSync(there) && there !== folder && there !== dirname(there)) there = dirname(there)
  if (!existsSync(there)) return
  const [real, root] = [realpathSync(there), realpathSync(folder)]
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return
  throw new Failure('leads-elsewhere', `init: ${relative(folder, there)} is a link to ${real}, outside of this folder; nothing was written.`, {
    exit: exits.findings,
    hint: 'Run it where the link leads, or put a file in its place.',
  })
}

function readSettings(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure('unreadable-file', `init: ${settingsPath} is there, but cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`, {
      exit: exits.findings,
      hint: 'Look at it with ls -l; nothing was written.',
    })
  }
}

function words({ written, kept, added }: { written: readonly string[]; kept: readonly string[]; added: boolean }): string {
  const lines = written.map((path) => (path === settingsPath ? `${added ? 'added to' : 'wrote'} ${path} (1 hook: block-rm)` : `wrote ${path}`))
  for (const path of kept) lines.push(`kept ${path} as it is${path === settingsPath ? ' (it has the hook block-rm already)' : ''}`)
  return `${lines.join('\n')}\nNext: ${next}`
}

/** The text with the hook in it; `undefined` when it is in there already. */
function added(text: string): string | undefined {
  if (text.includes(scriptPath)) return undefined
  const made = addHook(text, { event: 'PreToolUse', group: hookGroup })
  if (made.kind === 'added') return made.text
  throw new Failure('cannot-add', `init: ${settingsPath} is there, and ${made.why}; nothing was written.`, {
    exit: exits.findings,
    hint: `Run \`hookline validate\`, or add this to "hooks" yourself: "PreToolUse": [${JSON.stringify(hookGroup)}]`,
  })
}

function writeScript(path: string, { written, kept }: { written: string[]; kept: string[] }): void {
  if (existsSync(path)) {
    kept.push(scriptPath)
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, script, { flag: 'wx' })
  chmodSync(path, 0o755)
  written.push(scriptPath)
}
