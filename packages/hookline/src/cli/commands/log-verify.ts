/** `hookline log verify`: whether the log is as it was written; exit 1 with the first bad record, 3 when it cannot be read. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { encodeLine, type VerifiedChain, verifyAuditLog } from '../../node.ts'
import type { CommandContext } from '../context.ts'
import { type Exit, exits } from '../exits.ts'
import { Failure } from '../failure.ts'
import { emptyText, verifiedText } from '../render/log.ts'
import { type LogOptions, logFolder, logPath } from './log-options.ts'

/** Options of `log verify`. */
export interface VerifyLogOptions extends LogOptions {
  session?: string
  keyFile?: string
  head?: string
}

/** @throws Failure, HooklineError. */
export async function verifyLog(options: VerifyLogOptions, { terminal }: CommandContext): Promise<Exit> {
  const { session, keyFile } = options
  const wanted = headOf(options)
  const chains = await verifyAuditLog(logPath(options), {
    ...(session === undefined ? {} : { session }),
    ...(keyFile === undefined ? {} : { key: readKey(resolve(options.cwd ?? '.', keyFile)) }),
    ...(wanted === undefined ? {} : { head: wanted }),
  })
  if (chains.length === 0 && session !== undefined)
    throw new Failure('no-such-session', `--session: there is no session "${session}" in ${logFolder(options)}.`, {
      exit: exits.findings,
      hint: 'Give the whole id; `hookline log show` prints them.',
    })
  const missing = wanted !== undefined && !chains.some((chain) => chain.holdsHead) ? wanted : undefined
  const ok = chains.every((chain) => chain.state === 'good') && missing === undefined
  const document = { version: 1, kind: 'log-verification', folder: logFolder(options), ok, chains, ...(missing === undefined ? {} : { missingHead: missing }) }
  if (terminal.form !== 'text') terminal.print(encodeLine(document, { indent: terminal.form === 'document' ? 2 : 0 }))
  else if (chains.length === 0 && missing === undefined) terminal.print(emptyText(logFolder(options), false))
  else terminal.print(verifiedText(chains, { paint: terminal.paint, verbose: options.verbose === true, missingHead: missing }))
  return exitOf(chains, missing !== undefined)
}

function exitOf(chains: readonly VerifiedChain[], isMissing: boolean): Exit {
  if (isMissing || chains.some(({ state }) => state === 'broken' || state === 'torn')) return exits.findings
  return chains.some(({ state }) => state === 'unreadable') ? exits.unreadable : exits.goOn
}

/** The hash, with or without the number that `verify` prints before it. */
function headOf({ head }: VerifyLogOptions): string | undefined {
  if (head === undefined) return undefined
  const hash = head.replace(/^\d+:/, '').toLowerCase()
  if (!/^[0-9a-f]{8,64}$/.test(hash))
    throw new Failure('usage', `--head: "${head}" is no head.`, { hint: 'Give what `hookline log verify --verbose` printed after "head".' })
  return hash
}

/** 32 bytes in hex, in a file of their own. */
function readKey(file: string): Uint8Array {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Failure('no-such-file', `--key-file: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      hint: 'Give the file with the base key of the log.',
    })
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Failure('usage', `--key-file: ${file} holds no key.`, { hint: 'A key is 64 hexadecimal digits.' })
  return Buffer.from(text, 'hex')
}
