/** All generated files of the repository, by path from its root. */
import { eventPage } from './event-page.ts'
import { settingsPage } from './settings-page.ts'
import { settingsSchema } from './settings-schema.ts'

/** Path and text of each. */
export function generated(): Map<string, string> {
  return new Map([
    ['docs/reference/events.md', eventPage()],
    ['docs/reference/settings.md', settingsPage()],
    ['packages/hookline/schema/settings.schema.json', `${JSON.stringify(settingsSchema(), null, 2)}\n`],
  ])
}
