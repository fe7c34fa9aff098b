/** Standard input and output of a hook, read and written without the streams, whose start-up costs more than most hooks. */

/** All of standard input. */
export async function readInput(): Promise<string> {
  const { readSync } = process.getBuiltinModule('node:fs')
  const chunks: Uint8Array[] = []
  const buffer = Buffer.allocUnsafe(65_536)
  for (;;) {
    try {
      const read = readSync(0, buffer)
      if (read === 0) break
      chunks.push(Buffer.from(buffer.subarray(0, read)))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Windows reports the end of a pipe like this.
      if (code === 'EOF') break
      if (code !== 'EAGAIN') throw error
      // This pipe does not wait; the stream does.
      for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array)
      break
    }
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Standard input, a line at a time; empty lines are left out. */
export async function* readLines(): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of process.stdin.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}

/** Writes all of a text to standard output (1) or standard error (2) before it returns. */
export function writeOut(to: 1 | 2, text: string): void {
  const { writeSync } = process.getBuiltinModule('node:fs')
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(to, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      // The pipe is full and does not wait: its reader needs a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
    }
  }
}

/** Whether a person would have to type the input. */
export function isTyped(): boolean {
  // Asking for a terminal loads a good deal, and only a character device can be one.
  if (!process.getBuiltinModule('node:fs').fstatSync(0).isCharacterDevice()) return false
  return process.getBuiltinModule('node:tty').isatty(0)
}
