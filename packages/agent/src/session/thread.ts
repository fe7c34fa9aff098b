/** One thread out of a transcript that several processes wrote at once: each line names the message before it. */

type Line = Readonly<Record<string, unknown>>

/**
 * The lines that lead to the last message. Mixed threads would be no conversation: calls without their results, which providers refuse for good.
 * A line that names nothing known follows the line above it, as in a file that another tool wrote.
 */
export function threadOf<One extends Line>(lines: readonly One[]): One[] {
  const at = new Map<unknown, number>()
  // For each line the one that it goes on from; -1 for none.
  const before: number[] = []
  let lastMessage = -1
  for (const [index, line] of lines.entries()) {
    before.push(at.get(line['parentUuid']) ?? lastMessage)
    if (line['type'] !== 'user' && line['type'] !== 'assistant') continue
    if (typeof line['uuid'] === 'string') at.set(line['uuid'], index)
    lastMessage = index
  }
  const thread = new Set<number>([-1])
  for (let index = lastMessage; index >= 0; index = before[index] ?? -1) thread.add(index)
  return lines.filter((line, index) => (line['type'] === 'user' || line['type'] === 'assistant' ? thread.has(index) : thread.has(before[index] ?? -1)))
}
