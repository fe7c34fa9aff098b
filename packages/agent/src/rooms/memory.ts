/** The room of instruction files: read when a session starts, and when a tool touches what they belong to. */
import { join } from 'node:path'
import { announce, instructionText } from '../memory/load.ts'
import { createMemory, type Instruction } from '../memory/memory.ts'
import type { SessionHandle } from '../session/handle.ts'
import type { Room } from './room.ts'

export interface MemoryRoomOptions {
  home: string
  userFolder: string
  managedFolder: string
  /** Somebody vouched for the folder of the session. */
  trusted: boolean
}

export function memoryRoom(options: MemoryRoomOptions): Room {
  let memory: ReturnType<typeof createMemory> | undefined
  let touched: Instruction[] = []
  // Observers of InstructionsLoaded are not waited for, but are not left running behind the session's back either.
  const telling = new Set<Promise<void>>()
  const tell = (instructions: readonly Instruction[], { scope }: SessionHandle): void => {
    const told = announce(instructions, scope).catch(() => {})
    telling.add(told)
    void told.finally(() => telling.delete(told))
  }
  return {
    services: {
      fileTouched: (path) => void touched.push(...(memory?.touched(path) ?? [])),
    },
    open(opened) {
      const leftOut = (path: string, parent?: string): void => {
        const what = parent === undefined ? `${path} is left out: it is a link that leads` : `${parent}: its import of ${path} is left out, for it lies`
        const next = `Keep it here, name it in ${join(options.userFolder, 'CLAUDE.md')}, or say --trust.`
        opened.emit({ kind: 'notice', level: 'warning', text: `${what} outside of this folder. ${next}` })
      }
      memory = createMemory({ ...options, cwd: opened.root, folders: opened.folders, leftOut })
    },
    starter(source, opened) {
      const found = memory?.start(source === 'compact' ? 'compact' : 'session_start') ?? []
      touched = []
      tell(found, opened)
      const text = instructionText(found)
      return text === '' ? [] : [text]
    },
    note(opened) {
      const found = touched
      touched = []
      if (found.length === 0) return []
      tell(found, opened)
      return [instructionText(found)]
    },
    async close() {
      await Promise.all(telling)
    },
  }
}

/** Where an organisation keeps its files on this system. */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode'
  return platform === 'win32' ? join('C:\\Program Files', 'ClaudeCode') : '/etc/claude-code'
}
