/** The tools of the scripted agent. They really run, in the copy of the project. */
import { exec } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(exec)

/** Bash, Read and Edit, working in one folder. */
export function toolsIn(folder) {
  return {
    Bash: ({ command }) => run(command, { cwd: folder, timeout: 60_000 }).catch(({ stdout, stderr }) => ({ stdout, stderr })),
    Read: ({ file_path }) => readFile(resolve(folder, file_path), 'utf8'),
    Edit: async ({ file_path, old_string, new_string }) => {
      const file = resolve(folder, file_path)
      const before = await readFile(file, 'utf8')
      if (!before.includes(old_string)) throw new Error(`${file_path} does not contain the text to replace.`)
      await writeFile(
        file,
        before.replace(old_string, () => new_string),
      )
      return { filePath: file }
    },
  }
}
