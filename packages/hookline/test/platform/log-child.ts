/** A process that writes records to a log: `path session count tag sync`; it says on stdout which ones were acknowledged. */
import { writeSync } from 'node:fs'
import { openAuditLog } from '../../src/platform/log-writer.ts'
import { entry } from './log-entry.ts'

const [path = '', session = '', count = '', tag = '', sync = ''] = process.argv.slice(2)
const parallel = Number(process.env['PARALLEL'] ?? 1)
const log = openAuditLog(path, {
  required: true,
  sync: sync as 'decision' | 'batch' | 'off',
  maxBytes: Number(process.env['MAX_BYTES'] ?? 64 * 1_024 * 1_024),
  keep: Number(process.env['KEEP'] ?? 16),
  waitMs: 60_000,
})

async function write(index: number): Promise<void> {
  const call = `${tag}-${index}`
  await log.append(entry(call, { session, decision: index % 4 === 0 ? 'deny' : 'allow' }))
  // At once and whole: what was acknowledged must be known even when the process is killed now.
  writeSync(1, `${call}\n`)
}

writeSync(1, 'ready\n')
for (let index = 0; index < Number(count); index += parallel) {
  await Promise.all(Array.from({ length: Math.min(parallel, Number(count) - index) }, (_, one) => write(index + one)))
}
await log.close()
writeSync(1, 'done\n')
