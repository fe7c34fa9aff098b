/** ToolSearch: finds tools that are not offered at first, and makes them callable. */
import { z } from 'zod'
import { type AnyTool, defineTool, ToolError } from './tool.ts'

export const toolSearch = defineTool({
  name: 'ToolSearch',
  description:
    'Finds tools that are listed by name only and makes them callable: "select:A,B" by name, words by what they do, "+word" for a word that must be there.',
  kind: 'read',
  schema: z.strictObject({
    query: z.string().min(1),
    max_results: z.number().int().positive().optional().describe('Default 5'),
  }),
  async execute({ query, max_results = 5 }, { workspace }) {
    const { deferredTools, reveal } = workspace.services
    if (deferredTools === undefined || reveal === undefined) throw new ToolError('All tools of this conversation are offered already.')
    const all = deferredTools()
    const matches = find(query, all, max_results)
    reveal(matches)
    const response = { matches, query, total_deferred_tools: all.length }
    if (matches.length === 0)
      return {
        response,
        text: all.length === 0 ? 'No matching deferred tools found' : `No matching deferred tools found. There are: ${all.map((it) => it.name).join(', ')}`,
      }
    return { response, text: `Tool${matches.length === 1 ? '' : 's'} loaded: ${matches.join(', ')}. Call ${matches.length === 1 ? 'it' : 'them'} from now on.` }
  },
})

function find(query: string, tools: readonly AnyTool[], most: number): string[] {
  const select = /^select:(.*)$/s.exec(query.trim())?.[1]
  if (select !== undefined) {
    const wanted = select.split(',').map((name) => name.trim().toLowerCase())
    return tools.filter((tool) => [tool.name, ...(tool.aliases ?? [])].some((name) => wanted.includes(name.toLowerCase()))).map((tool) => tool.name)
  }
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '+')
  const needed = words.filter((word) => word.startsWith('+')).map((word) => word.slice(1))
  const bare = words.map((word) => word.replace(/^\+/, ''))
  return tools
    .map((tool) => ({ name: tool.name, score: scoreOf(tool, bare), fits: needed.every((word) => scoreOf(tool, [word]) > 0) }))
    .filter(({ score, fits }) => score > 0 && fits)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ name }) => name)
}

/** A word of the name counts more than one of the description. */
function scoreOf({ name, description }: AnyTool, words: readonly string[]): number {
  const parts = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.reduce((sum, word) => sum + (name.toLowerCase() === word ? 10 : parts.includes(word) ? 5 : description.toLowerCase().includes(word) ? 1 : 0), 0)
}
