/** Keeps what was accepted for one folder: in the store, for the folders that answer for it too, or in memory only. */
import type { Kept, Recalled, TrustKeeper } from '../config/trust-ports.ts'
import type { TrustRecord } from '../config/trust-record.ts'
import { type StoredTrust, TrustStore } from './trust-store.ts'
import { findWorkspace, type Identity, identityOf, type Workspace } from './trust-workspace.ts'

/** Where trust is kept, and for whom. */
export interface KeeperOptions {
  readonly projectDir: string
  /** The person's home folder. */
  readonly home: string
  /** The folder of the records. */
  readonly store: string
}

/** Makes the keeper of a folder. Nothing is read before the first question. */
export function createTrustKeeper({ projectDir, home, store: storeFolder }: KeeperOptions): TrustKeeper {
  const store = new TrustStore(storeFolder)
  let known: (Workspace & { sessionOnly?: string }) | undefined
  const start = () => {
    if (known !== undefined) return known
    const found = findWorkspace(projectDir, { home })
    // A store that lies in the folder is a stranger's word about itself.
    const why = found.sessionOnly ?? (liesIn(storeFolder, found.identity.path) ? 'the records would lie in the folder itself' : undefined)
    known = { ...found, ...(why === undefined ? {} : { sessionOnly: why }) }
    return known
  }
  return {
    get folder() {
      return start().identity.path
    },
    get sessionOnly() {
      return start().sessionOnly
    },
    async recall() {
      if (start().sessionOnly !== undefined) return { covering: [], problems: [] }
      // Looked at anew: the folder at this path may be another one by now.
      return recall(store, findWorkspace(projectDir, { home }))
    },
    async keep(record) {
      const { sessionOnly, identity } = start()
      return sessionOnly === undefined ? keep(store, identity, record) : { kind: 'session', why: sessionOnly }
    },
    async forget(folder) {
      const path = identityOf(folder)?.path ?? folder
      await store.remove(path)
      return path === start().identity.path
    },
  }
}

async function recall(store: TrustStore, { identity, covering }: Workspace): Promise<Recalled> {
  const problems: string[] = []
  const look = async (folder: Identity): Promise<TrustRecord | undefined> => {
    const found: StoredTrust = store.read(folder)
    if (found.kind === 'damaged') problems.push(await damaged(store, folder, found.why))
    return found.kind === 'record' ? found.record : undefined
  }
  const own = await look(identity)
  const others: TrustRecord[] = []
  for (const folder of covering) {
    const record = await look(folder)
    if (record !== undefined) others.push(record)
  }
  return { ...(own === undefined ? {} : { own }), covering: others, problems }
}

async function damaged(store: TrustStore, { path }: Identity, why: string): Promise<string> {
  const aside = await store.setAside({ path, device: '', inode: '' }).catch(() => undefined)
  const kept = aside === undefined ? 'It counts as no record' : `It was set aside as ${aside}`
  return `What was accepted for ${path} cannot be relied on: ${why}. ${kept}, and the folder has to be answered for again.`
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than this process may write',
  EROFS: 'the disk is read-only',
  EACCES: 'its folder may not be written',
  EPERM: 'its folder may not be written',
  ENOTDIR: 'a file stands where its folder should be',
  EEXIST: 'a file stands where its folder should be',
  EIO: 'the disk reports an error',
}

async function keep(store: TrustStore, identity: Identity, record: TrustRecord): Promise<Kept> {
  if (identity.inode === '') return { kind: 'session', why: 'the folder is not there' }
  try {
    await store.write(identity, record)
    return { kind: 'stored' }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { kind: 'session', why: `the record could not be written: ${reasons[code] ?? message}` }
  }
}

function liesIn(path: string, folder: string): boolean {
  const ends = folder.endsWith('/') || folder.endsWith('\\')
  const real = realStart(path)
  return [path, real].some((one) => one === folder || one.startsWith(ends ? folder : `${folder}/`) || one.startsWith(`${folder}\\`))
}

/** The path with the links of its nearest folder that is there followed. */
function realStart(path: string): string {
  const parts = path.split(/(?=[\\/])/)
  for (let length = parts.length; length > 0; length--) {
    const real = identityOf(parts.slice(0, length).join(''))?.path
    if (real !== undefined) return real + parts.slice(length).join('')
  }
  return path
}
