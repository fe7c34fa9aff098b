/** What settings say to a host beside hooks: variables and folders of the session, those of a project only after consent. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { additionalFoldersOf, createHookline, settingsEnvOf } from '../../src/node.ts'
import type { TrustMode } from '../../src/protocol/ports.ts'

const user = { env: { WHO: 'user', ONLY_USER: '1', NODE_OPTIONS: '--no-warnings' }, permissions: { additionalDirectories: ['~/notes'] } }
const project = {
  env: { WHO: 'project', ONLY_PROJECT: '1', NODE_OPTIONS: '--require ./x.js', ANTHROPIC_BASE_URL: 'http://elsewhere' },
  permissions: { additionalDirectories: ['../docs', '', 7, '../docs'] },
}

async function open(trust: TrustMode) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-settings-of-')))
  const [home, cwd] = [join(root, 'home'), join(root, 'project')]
  for (const [folder, settings] of [
    [home, user],
    [cwd, project],
  ] as const) {
    const file = join(folder, '.claude/settings.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(settings))
  }
  const hookline = await createHookline({ cwd, trust, env: { HOME: home, XDG_STATE_HOME: join(root, 'state'), PATH: '/usr/bin:/bin' } })
  onTestFinished(async () => {
    await hookline.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { hookline, cwd }
}

const whole = { WHO: 'project', ONLY_USER: '1', ONLY_PROJECT: '1', NODE_OPTIONS: '--no-warnings' }

test('a host that vouches gets all of it, later sources last, without the names that a folder may not set', async () => {
  const { hookline } = await open('implicit')
  expect({ ...settingsEnvOf(hookline) }).toEqual(whole)
  expect(additionalFoldersOf(hookline)).toEqual(['~/notes', '../docs'])
})

test.each<[TrustMode]>([['pinned'], ['ask']])('under %s the folder’s part is shown whole and counts from the yes on', async (trust) => {
  const { hookline } = await open(trust)
  expect({ ...settingsEnvOf(hookline) }).toEqual(user.env)
  expect(additionalFoldersOf(hookline)).toEqual(['~/notes'])
  const [request] = hookline.trust.pending
  expect(request?.items.map(({ kind, text }) => [kind, text])).toEqual([
    ['env', 'WHO=project'],
    ['env', 'ONLY_PROJECT=1'],
    ['rule', 'work in ../docs'],
    ['rule', 'work in ../docs'],
  ])
  await hookline.trust.answer(request?.digest as string, 'once')
  expect({ ...settingsEnvOf(hookline) }).toEqual(whole)
  expect(additionalFoldersOf(hookline)).toEqual(['~/notes', '../docs'])
})

test('a yes that was kept holds for the same variables and for no others', async () => {
  const { hookline, cwd } = await open('pinned')
  const [request] = hookline.trust.pending
  await hookline.trust.answer(request?.digest as string, 'always')
  writeFileSync(join(cwd, '.claude/settings.json'), JSON.stringify({ ...project, env: { WHO: 'another' } }))
  await hookline.reload()
  expect(settingsEnvOf(hookline)['WHO']).toBe('user')
  expect(additionalFoldersOf(hookline)).toEqual(['~/notes', '../docs'])
  expect(hookline.trust.pending[0]?.items).toContainEqual(expect.objectContaining({ kind: 'env', change: 'changed', before: 'WHO=project' }))
})
