/** What loading needs from the machine: files, where settings stand, and a limit for patterns. */
import type { BoundedRegex } from './matcher.ts'

/** What came of reading a file; the ways of failing are told apart, because they mean different things. */
export type FileRead =
  | ({
      readonly kind: 'text'
      readonly text: string
      /** Where the file really is, links followed. */
      readonly realPath: string
    } & Ownership)
  /** `link`: a link stands there that leads to nothing. */
  | { readonly kind: 'missing'; readonly link?: true }
  | { readonly kind: 'directory' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'too-large'; readonly bytes: number }

/** Who may change a file or folder, where the system has such. */
export interface Ownership {
  /** User id of the owner. */
  readonly owner?: number
  /** Group or others may write it. */
  readonly writableByOthers?: boolean
}

/** What came of listing a folder; names are sorted. */
export type FolderRead =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

/** Files, as config sees them. Nothing here throws or rejects. */
export interface FilesPort {
  /** Reads UTF-8 text of at most `limit` bytes, from one opened file: what is judged is what is used. */
  read(path: string, limit: number): Promise<FileRead>
  list(folder: string): Promise<FolderRead>
  /** The path with links followed; `undefined` when nothing is there. */
  realPath(path: string): Promise<string | undefined>
  exists(path: string): boolean
  /** Who may change what is there, links followed; `undefined` when nothing is there, or nobody can tell. */
  ownership?(path: string): Promise<Ownership | undefined>
  /** A program of that name is found on the path. */
  onPath?(name: string): boolean
}

export interface LoadPorts {
  readonly files: FilesPort
  readonly bounded?: BoundedRegex
}

/** A settings file that may be there. */
export interface Place {
  readonly path: string
  /** The folder that rule paths such as "/src" start from. */
  readonly root: string
}

/** Where settings stand on this machine (design §5); in each list the Claude file comes before our twin. */
export interface Places {
  /** Where the session began; relative paths start here. */
  readonly projectDir: string
  readonly user: readonly Place[]
  readonly project: readonly Place[]
  readonly local: readonly Place[]
  /** A policy file and the folder of its drop-ins. */
  readonly managed: readonly (Place & { readonly folder: string })[]
  /** User ids that may own policy files; absent: only the administrator, 0. */
  readonly policyOwners?: readonly number[]
  /** Where plugins are installed. */
  readonly plugins?: string
}
