/** Every row of trust.json, played with real folders, real links and real processes; rows that other issues own are listed with their owner. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../house/reading.ts'
import { elsewhere } from './trust-exclusions.ts'
import { agentStories } from './trust-stories-agent.ts'
import { consentStories, type Story } from './trust-stories-consent.ts'
import { folderStories } from './trust-stories-folders.ts'
import { otherStories } from './trust-stories-rest.ts'
import { TrustWorld } from './trust-world.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly expect: { readonly result: string }
}

const { cases } = JSON.parse(readFileSync(join(root, 'packages/hookline/test/data/cases/trust.json'), 'utf8')) as { cases: readonly Row[] }
const stories: Readonly<Record<string, Story>> = { ...consentStories, ...folderStories, ...otherStories, ...agentStories }
const played = cases.flatMap((row): [string, Story][] => {
  const story = stories[row.id]
  return story === undefined ? [] : [[`${row.id}: ${row.title} → ${row.expect.result}`, story]]
})

test.each(played)('%s', (_, story) => story(new TrustWorld()), 120_000)

test('every row is played here, or owned by an issue', () => {
  expect(cases.filter(({ id }) => !(id in stories) && !(id in elsewhere)).map(({ id }) => id)).toEqual([])
  expect(Object.keys(elsewhere).filter((id) => id in stories || !cases.some((row) => row.id === id))).toEqual([])
  for (const [owner, why] of Object.values(elsewhere)) expect([owner, why.length > 20]).toEqual([expect.stringMatching(/^(GUARD|AGENT|RUNNING)$/), true])
  expect(played.length).toBeGreaterThan(cases.length - 6)
})
