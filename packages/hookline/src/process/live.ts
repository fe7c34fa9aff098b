/** Shows output while a process runs, once it has run for a while. */
import { StringDecoder } from 'node:string_decoder'

export type OutputStream = 'stdout' | 'stderr'

/** Who wants to see output, and how long a run must have lasted before anything is shown. */
export interface LiveOutput {
  readonly afterMs: number
  show(stream: OutputStream, text: string): void
}

export interface Live {
  /** New bytes; before the time has come they are only kept by the capture. */
  add(stream: OutputStream, bytes: Uint8Array): void
  stop(): void
}

/** Waits `afterMs`, then shows what `soFar` holds and everything that comes after it, never half a code point. */
export function followLive({ afterMs, show }: LiveOutput, soFar: () => Readonly<Record<OutputStream, Uint8Array>>): Live {
  // Made when there is something to show: most runs are over before that.
  const decoders: Partial<Record<OutputStream, StringDecoder>> = {}
  let open = false
  const tell = (stream: OutputStream, bytes: Uint8Array) => {
    decoders[stream] ??= new StringDecoder('utf8')
    const text = decoders[stream].write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    try {
      if (text !== '') show(stream, text)
    } catch {
      // A broken viewer is no reason to lose a hook's answer.
    }
  }
  const timer = setTimeout(() => {
    open = true
    const { stdout, stderr } = soFar()
    tell('stdout', stdout)
    tell('stderr', stderr)
  }, afterMs)
  return {
    add: (stream, bytes) => {
      if (open) tell(stream, bytes)
    },
    stop: () => {
      open = false
      clearTimeout(timer)
    },
  }
}
