/** The ports of loading, wired to this machine. */
import type { LoadPorts } from '../config/ports.ts'
import { createBoundedRegex } from './bounded-regex.ts'
import { createFiles } from './files.ts'

/** Files of this machine, and patterns with a time limit. */
export function nodePorts(options: { env?: Readonly<Record<string, string | undefined>> } = {}): Required<LoadPorts> {
  return { files: createFiles(options), bounded: createBoundedRegex() }
}
