/** No event without a play: every row of the event table has tests in this folder in which it fires for its real reason. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { events } from 'hookline'
import { expect, test } from 'vitest'

test('Every event of the table is played here, under its name', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'))
  const played = files.flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/^describe\('(\w+)'/gm)].map(([, event]) => event))
  expect([...new Set(played)].toSorted()).toEqual(Object.keys(events).toSorted())
})
