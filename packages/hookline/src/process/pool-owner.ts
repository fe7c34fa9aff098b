/** Whose rights a process that is started now would have: user, groups and umask. Needs Linux's /proc. */
import { openSync, readSync } from 'node:fs'
import { closeDescriptor } from './close-descriptor.ts'

/** Tells the rights of this process. */
export interface Owner {
  /** A text that is another one when the rights are others; empty when the system does not tell. */
  now(): string
  close(): void
}

const rights = /^(Umask:.*)\n[\s\S]*?^(Uid:.*\nGid:.*)\n[\s\S]*?^(Groups:.*)$/m

/** Begins to look. Throws where the system does not tell. */
export function openOwner(): Owner {
  // Not `process.umask()`: to read the mask it sets it to 0 for a moment, in which another thread may make a file that everybody can write to.
  const status = openSync('/proc/self/status', 'r')
  const buffer = Buffer.allocUnsafe(4_096)
  const now = () => {
    try {
      const found = rights.exec(buffer.toString('latin1', 0, readSync(status, buffer, 0, buffer.length, 0)))
      return found === null ? '' : `${found[1]} ${found[2]} ${found[3]}`
    } catch {
      return ''
    }
  }
  if (now() === '') {
    closeDescriptor(status)
    throw new Error('the system does not tell the rights of this process')
  }
  return { now, close: () => closeDescriptor(status) }
}
