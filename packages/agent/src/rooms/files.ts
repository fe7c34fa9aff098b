/** The room of watched files: FileChanged for what the hooks of a session asked for. */
import { type FileWatch, watchFiles } from '../watch/files.ts'
import type { Room } from './room.ts'

export function filesRoom(): Room {
  let watch: FileWatch | undefined
  const abort = new AbortController()
  return {
    open(session) {
      watch = watchFiles({
        // Another one once the session is cleared.
        get scope() {
          return session.scope
        },
        cwd: () => session.root,
        onVerdict: (verdict) => {
          if (verdict.toUser !== '') session.emit({ kind: 'notice', level: 'info', text: verdict.toUser })
        },
        signal: abort.signal,
      })
    },
    async starter() {
      await watch?.refresh()
      return []
    },
    async note() {
      await watch?.refresh()
      return []
    },
    async close() {
      abort.abort(new Error('The session ended.'))
      await watch?.close()
    },
  }
}
