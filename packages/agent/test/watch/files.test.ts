/** FileChanged for the files that hooks asked for, and for no others. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHookline } from 'hookline/node'
import { expect, test, vi } from 'vitest'
import { watchFiles } from '../../src/watch/files.ts'
import { folderWith } from '../folder.ts'

test('a change, an addition and a deletion are told once each, in order; other files are not', async () => {
  const cwd = folderWith({ 'watched.txt': '1', 'sub/watched.txt': '1', 'rest.txt': '1' })
  await using hookline = await createHookline({ cwd, sources: [], hooks: { FileChanged: [{ matcher: 'watched.txt|other.txt', hooks: [() => undefined] }] } })
  const seen: string[] = []
  hookline.on('FileChanged', (input) => void seen.push(`${input.event} ${input.file_path.slice(cwd.length + 1)}`))
  const controller = new AbortController()
  const watch = watchFiles({ scope: hookline, cwd: () => cwd, onVerdict: () => {}, signal: controller.signal })
  await watch.refresh()
  writeFileSync(join(cwd, 'watched.txt'), '2')
  await vi.waitFor(() => expect(seen).toEqual(['change watched.txt']), 10_000)
  writeFileSync(join(cwd, 'sub/watched.txt'), '2')
  writeFileSync(join(cwd, 'rest.txt'), '2')
  writeFileSync(join(cwd, 'other.txt'), 'a')
  await vi.waitFor(() => expect(seen).toHaveLength(2), 10_000)
  rmSync(join(cwd, 'other.txt'))
  await vi.waitFor(() => expect(seen).toEqual(['change watched.txt', 'add other.txt', 'unlink other.txt']), 10_000)
  await watch.close()
})

test('paths that a hook answers with are watched from then on', async () => {
  const cwd = folderWith({ 'a.txt': '1', 'deep/b.txt': '1' })
  await using hookline = await createHookline({ cwd, sources: [], hooks: { FileChanged: [{ matcher: 'a.txt', hooks: [() => undefined] }] } })
  const seen: string[] = []
  hookline.on('FileChanged', (input) => {
    seen.push(input.file_path.slice(cwd.length + 1))
    return { watchPaths: [join(cwd, 'deep/b.txt')] }
  })
  const watch = watchFiles({ scope: hookline, cwd: () => cwd, onVerdict: () => {}, signal: AbortSignal.timeout(60_000) })
  await watch.refresh()
  writeFileSync(join(cwd, 'a.txt'), '2')
  await vi.waitFor(() => expect(seen).toEqual(['a.txt']), 10_000)
  await watch.idle()
  await new Promise((done) => setTimeout(done, 500))
  writeFileSync(join(cwd, 'deep/b.txt'), '2')
  await vi.waitFor(() => expect(seen).toEqual(['a.txt', 'deep/b.txt']), 10_000)
  await watch.close()
})
