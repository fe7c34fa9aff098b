/** Ctrl-C: hooks that run are ended, then the command ends with its own exit code. */
import { exits } from './exits.ts'
import { Failure } from './failure.ts'

/** Fires at the first Ctrl-C or request to end; a second one ends the process as the system would. Call `ignore` when the work is done. */
export function catchInterrupt(): { signal: AbortSignal; ignore(): void } {
  const controller = new AbortController()
  const ignore = () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    process.off('SIGHUP', interrupt)
  }
  const interrupt = () => {
    ignore()
    controller.abort(new Failure('interrupted', 'interrupted', { exit: exits.interrupted }))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  process.on('SIGHUP', interrupt)
  return { signal: controller.signal, ignore }
}
