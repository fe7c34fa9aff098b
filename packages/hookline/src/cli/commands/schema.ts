/** `hookline schema`: prints the JSON Schema of the settings, for editors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'

/** The schema is itself one JSON document, so every form of output prints it. */
export async function schema(_options: object, { terminal, dist }: CommandContext): Promise<Exit> {
  const text = readFileSync(join(dist, '../schema/settings.schema.json'), 'utf8')
  terminal.show(JSON.parse(text), () => text)
  return exits.goOn
}
