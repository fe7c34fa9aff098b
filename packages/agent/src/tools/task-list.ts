/** The shared task list: one JSON file that several conversations and processes may hold, changed under a lock and replaced whole. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { withLock } from './lock-file.ts'
import { type Task, type TaskList, ToolError } from './tool.ts'

const task = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  activeForm: z.string().optional(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  owner: z.string().optional(),
  blocks: z.array(z.string()),
  blockedBy: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()).optional(),
})
const content = z.object({ version: z.literal(1), next: z.number().int().positive(), tasks: z.array(task) })

type Content = z.output<typeof content>

/** Opens the list in this file; it need not be there yet. */
export function openTaskList(file: string): TaskList {
  const change = <T>(work: (all: Content) => T): Promise<T> => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    return withLock(`${file}.lock`, () => {
      const all = read(file)
      const result = work(all)
      // A reader, or a crash, sees the old list or the new one and nothing between.
      writeFileSync(`${file}.new`, `${JSON.stringify(all, undefined, 2)}\n`, { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
      return result
    })
  }
  return {
    create: (fields) =>
      change((all) => {
        const made: Task = { id: String(all.next++), ...fields, status: 'pending', blocks: [], blockedBy: [] }
        all.tasks.push(made as Content['tasks'][number])
        return made
      }),
    get: async (id) => read(file).tasks.find((it) => it.id === id) as Task | undefined,
    list: async () => read(file).tasks as Task[],
    update: (id, fields) =>
      change((all) => {
        const found = all.tasks.find((it) => it.id === id) as Task | undefined
        if (found === undefined) return undefined
        // Links are added to: another process may have added some since the caller looked.
        const links = { blocks: [...found.blocks, ...(fields.blocks ?? [])], blockedBy: [...found.blockedBy, ...(fields.blockedBy ?? [])] }
        Object.assign(found, fields, links)
        link(all, found)
        return structuredClone(found)
      }),
    remove: (id) =>
      change((all) => {
        const before = all.tasks.length
        all.tasks = all.tasks.filter((it) => it.id !== id)
        for (const other of all.tasks) {
          other.blocks = other.blocks.filter((it) => it !== id)
          other.blockedBy = other.blockedBy.filter((it) => it !== id)
        }
        return all.tasks.length < before
      }),
  }
}

/** What one task blocks is blocked by it: both ends are kept. */
function link(all: Content, changed: Task): void {
  const byId = new Map(all.tasks.map((it) => [it.id, it]))
  for (const [mine, theirs] of [
    ['blocks', 'blockedBy'],
    ['blockedBy', 'blocks'],
  ] as const) {
    changed[mine] = [...new Set(changed[mine])].filter((id) => id !== changed.id && byId.has(id))
    for (const id of changed[mine]) {
      const other = byId.get(id)
      if (other !== undefined && !other[theirs].includes(changed.id)) other[theirs].push(changed.id)
    }
  }
}

function read(file: string): Content {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, next: 1, tasks: [] }
    throw new ToolError(`The task list ${file} cannot be read: ${(error as Error).message}.`)
  }
  try {
    return content.parse(JSON.parse(text))
  } catch {
    throw new ToolError(`The task list ${file} is damaged. Repair it, or remove it to begin anew.`)
  }
}
