/** Reads documentation pages: a block marked with a file or a folder must show what that file holds, or what commands print there. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../house/reading.ts'

const marked = /^(<!-- (file|run): ([^\s#]+)(?:#(\w+))? -->\n```\w+\n)([\s\S]*?)^```$/gm

/** Every page that people read, from the root. */
export async function pages(): Promise<string[]> {
  const below = await readdir(join(root, 'docs'), { recursive: true })
  return ['README.md', 'CONTRIBUTING.md', ...below.filter((path) => path.endsWith('.md') && !path.startsWith('reference')).map((path) => `docs/${path}`)].sort()
}

/** A page as it should be: every marked block is made anew. Blocks are made one after the other. */
export async function render(text: string): Promise<string> {
  let page = ''
  let from = 0
  for (const found of text.matchAll(marked)) {
    const [whole, head = '', kind, path = '', region, shown = ''] = found
    page += `${text.slice(from, found.index)}${head}${kind === 'file' ? await cutOut(path, region) : await perform(path, shown)}\`\`\``
    from = found.index + whole.length
  }
  return page + text.slice(from)
}

/** The text of a page with everything that differs from run to run made equal. */
export function settled(text: string): string {
  return text.replace(/\b\d+(\.\d+)? m?s\b/g, '# ms')
}

/** How many blocks of a page are checked. */
export function countMarked(text: string): number {
  return [...text.matchAll(marked)].length
}

async function cutOut(path: string, region: string | undefined): Promise<string> {
  const lines = (await readFile(join(root, path), 'utf8')).split('\n')
  if (region === undefined) return lines.join('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  const end = lines.findIndex((line, at) => at > start && line.trim() === '// #endregion')
  if (start === -1 || end === -1) throw new Error(`${path} has no region ${region}`)
  const inside = lines.slice(start + 1, end)
  const indent = Math.min(...inside.filter(Boolean).map((line) => line.length - line.trimStart().length))
  return `${inside.map((line) => line.slice(indent)).join('\n')}\n`
}

/** Runs the lines that begin with "$ " in a copy of the folder, each in a shell; "# exits 2" behind a command is its exit code. */
async function perform(path: string, shown: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'))
  try {
    const project = join(folder, 'project')
    await cp(join(root, path), project, { recursive: true, filter: (source) => !source.endsWith('node_modules') })
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
    await mkdir(join(folder, 'home'))
    let text = ''
    for (const [, command = ''] of shown.matchAll(/^\$ (.*)$/gm)) {
      const expected = Number(/# exits (\d+)$/.exec(command)?.[1] ?? 0)
      const { code, output } = await shell(command, { cwd: project, home: join(folder, 'home') })
      if (code !== expected) throw new Error(`"${command}" in ${path} exits with ${code}:\n${output}`)
      text += `$ ${command}\n${output}`
    }
    return text
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function shell(command: string, { cwd, home }: { cwd: string; home: string }): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  return new Promise((done) => {
    const child = execFile('sh', ['-c', `{ ${command.replace(/ # exits \d+$/, '')}\n} 2>&1`], { cwd, env, timeout: 60_000 }, (error, output) => {
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, output })
    })
    child.stdin?.end()
  })
}
