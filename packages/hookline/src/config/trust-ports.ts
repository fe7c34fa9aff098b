/** What trust needs from the machine: the bytes of scripts, where files really are, and the records that are kept. */
import type { TrustRecord } from './trust-record.ts'

/** What came of looking at a file that a hook names. */
export type ScriptRead =
  | {
      readonly kind: 'file'
      /** SHA-256 of the bytes, in lower-case hex. */
      readonly digest: string
      readonly bytes: number
      /** The whole text; absent when it is not UTF-8 or over 1 MiB. */
      readonly text?: string
      readonly executable: boolean
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other'; readonly why: string }

/** Looks at files; never throws. What it hands back was read from one opened file. */
export interface ScriptsPort {
  read(path: string): Promise<ScriptRead>
  realPath(path: string): Promise<string | undefined>
}

/** What keeping a record came to. */
export type Kept = { readonly kind: 'stored' } | { readonly kind: 'session'; readonly why: string }

/** The records that count for a folder. */
export interface Recalled {
  readonly own?: TrustRecord
  /** Of the folders that answer for this one too: a trusted folder above it, the main checkout of a worktree. */
  readonly covering: readonly TrustRecord[]
  readonly problems: readonly string[]
}

/** The records about one folder. Only forgetting throws: who takes an answer back must know when that failed. */
export interface TrustKeeper {
  /** The folder as the system spells it. */
  readonly folder: string
  /** Why answers for this folder are never stored: it is the home folder, or the root of a disk. */
  readonly sessionOnly: string | undefined
  /** What was accepted before, and what was wrong with the records. */
  recall(): Promise<Recalled>
  keep(record: TrustRecord): Promise<Kept>
  /** Forgets what was accepted for a folder; true when that folder is this one. */
  forget(folder: string): Promise<boolean>
}
