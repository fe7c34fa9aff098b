/** The records on disk: private, replaced whole, never believed when damaged, and none lost when many write at once. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TrustRecord } from '../../src/config/trust-record.ts'
import { nodeLogFiles } from '../../src/platform/log-files.ts'
import { LogLock } from '../../src/platform/log-lock.ts'
import { createTrustKeeper } from '../../src/platform/trust-keeper.ts'
import { TrustStore } from '../../src/platform/trust-store.ts'
import { type Identity, identityOf } from '../../src/platform/trust-workspace.ts'

let root = ''
let store: TrustStore
let folder: Identity
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'store ')))
  mkdirSync(join(root, 'project'))
  store = new TrustStore(join(root, 'state/trust'))
  folder = identityOf(join(root, 'project')) as Identity
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const record = (text: string): TrustRecord => ({
  at: 1_000,
  digest: 'd'.repeat(64),
  units: [{ kind: 'hook', digest: 'a'.repeat(64), definition: 'b'.repeat(64), hook: 'project:Stop:0:0' }],
  items: [{ kind: 'command', text, when: 'Stop' }],
})
const names = () => readdirSync(store.folder).sort()
const file = () => join(store.folder, names().find((name) => name.endsWith('.json')) ?? '')

test('a record comes back as it was kept, in a private file of a private folder', async () => {
  await store.write(folder, record('one'))
  expect(store.read(folder)).toEqual({ kind: 'record', record: record('one') })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(statSync(store.folder).mode & 0o777).toBe(0o700)
  await store.write(folder, record('two'))
  expect(store.read(folder)).toEqual({ kind: 'record', record: record('two') })
  expect(names()).toHaveLength(1)
  await store.remove(folder.path)
  expect(store.read(folder)).toEqual({ kind: 'none' })
  await store.remove(folder.path)
})

test.each(['device', 'inode', 'born'] as const)('it is none for a folder of another %s', async (field) => {
  await store.write({ ...folder, born: '5' }, record('one'))
  expect(store.read({ ...folder, born: '5', [field]: '99' })).toEqual({ kind: 'none' })
  expect(store.read({ ...folder, born: '5' })).toMatchObject({ kind: 'record' })
})

describe('a file is damaged when', () => {
  const change = (edit: (value: Record<string, unknown>) => void) => () => {
    const value = JSON.parse(readFileSync(file(), 'utf8')) as Record<string, unknown>
    edit(value)
    writeFileSync(file(), JSON.stringify(value))
  }
  const damage: [string, () => void][] = [
    ['it is empty', () => writeFileSync(file(), '')],
    ['it is cut', () => writeFileSync(file(), readFileSync(file()).subarray(0, 200))],
    ['it is noise', () => writeFileSync(file(), Buffer.from([0, 255, 254, 1]))],
    ['it is a list', () => writeFileSync(file(), '[]')],
    ['its version is unknown', change((value) => (value['version'] = 2))],
    ['a digest is none', change((value) => ((value['units'] as { digest: string }[])[0] = { digest: '*' } as never))],
    ['its units are no list', change((value) => (value['units'] = {}))],
    ['its folder is missing', change((value) => delete value['folder'])],
    ['an item has no text', change((value) => (value['items'] = [{ kind: 'command' }]))],
    ['others can write it', () => chmodSync(file(), 0o622)],
    [
      'it is a link',
      () => {
        const path = file()
        writeFileSync(join(root, 'stranger.json'), readFileSync(path))
        rmSync(path)
        symlinkSync(join(root, 'stranger.json'), path)
      },
    ],
    [
      'it is a folder',
      () => {
        const path = file()
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ]
  test.each(damage)('%s: it is kept aside, and counts as none', async (_, make) => {
    await store.write(folder, record('one'))
    make()
    expect(store.read(folder)).toMatchObject({ kind: 'damaged' })
    const aside = await store.setAside(folder)
    expect(names().map((name) => join(store.folder, name))).toEqual([aside])
    expect(store.read(folder)).toEqual({ kind: 'none' })
    expect(await store.setAside(folder)).toBeUndefined()
    await store.write(folder, record('two'))
    expect(store.read(folder)).toMatchObject({ kind: 'record' })
  })
})

test('a store inside the folder itself is a word of the folder about itself, and is not asked', async () => {
  const inside = join(root, 'project/state')
  await new TrustStore(inside).write(folder, record('one'))
  const keeper = createTrustKeeper({ projectDir: folder.path, home: join(root, 'home'), store: inside })
  expect(await keeper.recall()).toEqual({ covering: [], problems: [] })
  symlinkSync(inside, join(root, 'link'))
  const linked = createTrustKeeper({ projectDir: folder.path, home: join(root, 'home'), store: join(root, 'link') })
  expect(linked.sessionOnly).toContain('in the folder itself')
  expect((await createTrustKeeper({ projectDir: folder.path, home: join(root, 'home'), store: store.folder }).recall()).own).toBeUndefined()
})

test('a writer waits for another one', async () => {
  await store.write(folder, record('one'))
  const lock = new LogLock(nodeLogFiles, `${file()}.lock`)
  expect(lock.take()).toBe(true)
  let done = false
  const writing = store.write(folder, record('two')).then(() => {
    done = true
  })
  await new Promise((settle) => setTimeout(settle, 200))
  expect({ done, record: store.read(folder) }).toEqual({ done: false, record: { kind: 'record', record: record('one') } })
  lock.release()
  await writing
  expect(store.read(folder)).toEqual({ kind: 'record', record: record('two') })
  expect(names()).toHaveLength(1)
})

test('200 writers at once: every folder has its record, and one folder has one of the answers', async () => {
  const folders = Array.from({ length: 200 }, (_, at) => ({ ...folder, path: `/folder/${at}` }))
  await Promise.all(folders.map((one, at) => store.write(one, record(`own ${at}`))))
  expect(folders.filter((one, at) => JSON.stringify(store.read(one)) !== JSON.stringify({ kind: 'record', record: record(`own ${at}`) }))).toEqual([])
  await Promise.all(Array.from({ length: 50 }, (_, at) => store.write(folder, record(`same ${at}`))))
  const kept = store.read(folder)
  expect(kept.kind === 'record' && kept.record.items[0]?.text).toMatch(/^same \d+$/)
  expect(names()).toHaveLength(201)
}, 60_000)
