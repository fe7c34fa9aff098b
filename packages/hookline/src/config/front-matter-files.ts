/** Finds the skills and agents whose front matter may hold hooks. They are read when they start, not before. */
import type { SourceKind } from '../protocol/hook.ts'
import { folderOf } from './paths.ts'
import type { FilesPort, Places } from './ports.ts'

/** A file that may hold hooks. */
export interface FrontMatterFile {
  readonly of: 'skill' | 'agent'
  /** Name of the skill's folder, or of the agent's file. */
  readonly name: string
  readonly path: string
  /** Who brought it: what a project brings needs consent. */
  readonly from: Extract<SourceKind, 'user' | 'project'>
}

/** Lists them in configuration order. A folder that cannot be read lists nothing. */
export async function findFrontMatter(places: Places, files: FilesPort): Promise<FrontMatterFile[]> {
  const found: FrontMatterFile[] = []
  for (const from of ['user', 'project'] as const) {
    for (const place of places[from]) {
      const base = folderOf(place.path)
      for (const name of await namesIn(`${base}/skills`, files)) {
        const path = `${base}/skills/${name}/SKILL.md`
        if (files.exists(path)) found.push({ of: 'skill', name, path, from })
      }
      for (const name of await namesIn(`${base}/agents`, files)) {
        if (name.endsWith('.md')) found.push({ of: 'agent', name: name.slice(0, -3), path: `${base}/agents/${name}`, from })
      }
    }
  }
  return found
}

async function namesIn(folder: string, files: FilesPort): Promise<readonly string[]> {
  const listed = await files.list(folder)
  return listed.kind === 'names' ? listed.names.filter((name) => !name.startsWith('.')) : []
}
