/** Writes a messy file the way an agent's Write tool would, and checks that the hook of this folder tidied it: node examples/format-after-edit/run.js */
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'

const folder = await mkdtemp(join(tmpdir(), 'format-after-edit-'))
await cp(import.meta.dirname, folder, { recursive: true })
const hookline = await createHookline({ cwd: folder, sources: ['project'], trust: 'implicit' })

const file_path = join(folder, 'neat.js')
const content = await readFile(join(folder, 'messy.txt'), 'utf8')
const run = await hookline.runTool({ name: 'Write', id: 'toolu_1', input: { file_path, content } }, async (input) => {
  await writeFile(input.file_path, input.content)
  return { filePath: input.file_path, type: 'create' }
})

const formatted = await readFile(file_path, 'utf8')
console.log(formatted)
console.log(`to the model: ${run.toModel}`)
assert.equal(run.kind, 'ran')
assert.equal(
  formatted,
  '/** Written by an agent that has never seen a formatter. */\nexport const add = (a, b) => {\n  return a + b\n}\n\nexport const three = add(1, 2)\n',
)
assert.match(run.toModel, /neat\.js was formatted after your edit/)
await hookline.close()
await rm(folder, { recursive: true })
