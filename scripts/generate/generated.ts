/** All generated files of the repository, by path from its root. */
import { codePages } from './code-pages.ts'
import { eventPage } from './event-page.ts'
import { settingsPage } from './settings-page.ts'
import { settingsSchema } from './settings-schema.ts'

/** Nothing else is in this folder: a page of a code that is gone is removed. */
export const generatedFolder = 'docs/reference/codes'

/** Path and text of each. */
export function generated(): Map<string, string> {
  return new Map([
    ...codePages(),
    ['docs/reference/events.md', eventPage()],
    ['docs/reference/settings.md', settingsPage()],
    ['packages/hookline/schema/settings.schema.json', `${JSON.stringify(settingsSchema(), null, 2)}\n`],
  ])
}
