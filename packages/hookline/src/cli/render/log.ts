/** The audit log for people: one line per record, and what verifying it found. */
import type { AuditRecord, VerifiedChain } from '../../node.ts'
import { endingWords } from './ending.ts'
import type { Brush, Paint } from './paint.ts'
import { count, shownLine } from './shown.ts'

type Verdict = Extract<AuditRecord, { kind: 'verdict' }>

/** Prints records one after the other; names a session when another one speaks. */
export class RecordPrinter {
  readonly #paint: Paint
  readonly #verbose: boolean
  #session: string | undefined

  constructor({ paint, verbose }: { paint: Paint; verbose: boolean }) {
    this.#paint = paint
    this.#verbose = verbose
  }

  /** The lines of a record; `''` for one that only the chain needs. */
  text(record: AuditRecord): string {
    if (!this.#verbose && (record.kind === 'opened' || record.kind === 'rotated')) return ''
    const lines = [`${this.#paint.dim(timeOf(record.at))}  ${this.#sentence(record)}`]
    if (record.kind === 'verdict') lines.push(...this.#details(record))
    if (record.session !== this.#session) lines.unshift(this.#paint.dim(`session ${shownLine(record.session, 80)}`))
    this.#session = record.session
    return lines.join('\n')
  }

  #sentence(record: AuditRecord): string {
    switch (record.kind) {
      case 'verdict':
      case 'permitted':
        return `${this.#word(record.decision)} ${shownLine(record.event, 60)}${whoOf(record)}${record.reason === undefined ? '' : `: ${shownLine(record.reason)}`}`
      case 'late':
        return `${this.#plain('late')} ${shownLine(record.event, 60)}  ${shownLine(record.hook)} ${endingWords(record.ending)}${record.wake ? ', wakes the model' : ''}`
      case 'reloaded':
        return `${this.#plain('reload')} ${record.applied ? 'settings applied' : 'settings kept as they were'}: ${record.added.length} added, ${record.removed.length} removed${record.needTrust.length > 0 ? `, ${record.needTrust.length} need trust` : ''}`
      case 'trust':
        return `${this.#word('trust')} ${shownLine(record.answer)} for ${shownLine(record.folder)}`
      case 'policy':
        return `${this.#word('policy')} ${shownLine(record.detail)}`
      case 'session-opened':
      case 'session-closed':
        return `${this.#plain('session')} ${record.kind === 'session-opened' ? 'opened' : 'closed'}${record.cwd === undefined ? '' : ` in ${shownLine(record.cwd)}`}`
      case 'opened':
        return `${this.#plain('file')} begun by process ${record.pid}`
      case 'rotated':
        return `${this.#plain('file')} full, goes on in ${shownLine(record.next)}`
      case 'recovered':
        return `${this.#warn('recovered')} ${record.bytes} bytes of an unfinished record were set aside in ${shownLine(record.note)}`
      case 'gap':
        return `${this.#warn('gap')} ${count(record.records, 'record')} could not be written (${shownLine(record.why)})`
      case 'broken-predecessor':
        return `${this.#warn('broken')} ${shownLine(record.file)} was not as it was written: ${shownLine(record.detail)}`
      default:
        return this.#plain(shownLine((record as { kind: string }).kind, 20))
    }
  }

  /** The input, hooks that failed, and with `--verbose` every hook. */
  #details(record: Verdict): string[] {
    const { dim, yellow } = this.#paint
    const lines = record.input?.preview === undefined ? [] : [dim(shownLine(record.input.preview))]
    for (const hook of record.hooks) {
      if (hook.failure === undefined && !this.#verbose) continue
      const line = `${shownLine(hook.id)}  ${endingWords(hook.ending)}, ${Math.round(hook.ms)} ms${hook.closed ? '; it fails closed, so this is a refusal' : ''}`
      lines.push(hook.failure === undefined ? dim(line) : yellow(line))
    }
    for (const left of record.left ?? []) lines.push(yellow(`${shownLine(left.id)}  left out: ${shownLine(left.why)}`))
    return lines.map((line) => `${' '.repeat(31)}${line}`)
  }

  #word(word: string): string {
    return brushOf(word, this.#paint)(shownLine(word, 9).padEnd(9))
  }
  #plain(word: string): string {
    return this.#paint.dim(word.padEnd(9))
  }
  #warn(word: string): string {
    return this.#paint.yellow(word.padEnd(9))
  }
}

function whoOf(record: Extract<AuditRecord, { kind: 'verdict' | 'permitted' }>): string {
  if (record.kind === 'permitted') return `  by ${shownLine(record.cause, 40)}`
  const ids = record.by ?? record.hooks.map((hook) => hook.id)
  const named = ids.slice(0, 3).map((id) => shownLine(id, 80))
  return `${named.length === 0 ? '' : `  ${named.join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`}${record.cause === 'fail-closed' ? ' (failed closed)' : ''}`
}

function brushOf(word: string, { red, green, yellow, dim }: Paint): Brush {
  if (['deny', 'block', 'stop', 'decline', 'fail'].includes(word)) return red
  if (['allow', 'accept'].includes(word)) return green
  return ['ask', 'defer', 'trust', 'policy'].includes(word) ? yellow : dim
}

/** `2026-11-12 14:03:22`, in the time of this machine. */
function timeOf(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** What to say when there is nothing to show. */
export function emptyText(folder: string, isFiltered: boolean): string {
  return isFiltered
    ? `No record in ${shownLine(folder, 500)} fits. Leave some of the options out, or see \`hookline log show --last 20\`.`
    : `No records in ${shownLine(folder, 500)} yet. \`hookline fire\` writes one whenever a hook runs.`
}

/** Lines that could not be read, for the person; `''` when there were none. */
export function unreadableNote(counts: ReadonlyMap<string, number>): string {
  const files = [...counts].map(([file, lines]) => `${shownLine(file)}: ${count(lines, 'line')}`)
  return files.length === 0 ? '' : `Left out, because they are not as they were written: ${files.join(', ')}. See \`hookline log verify\`.`
}

/** How to show what verifying found. */
export interface VerifiedView {
  readonly paint: Paint
  readonly verbose: boolean
  /** A hash that no chain holds. */
  readonly missingHead?: string | undefined
}

/** One line per chain that is not good, or per chain with `--verbose`; then the sum. */
export function verifiedText(chains: readonly VerifiedChain[], { paint, verbose, missingHead }: VerifiedView): string {
  const lines = chains.flatMap((chain) => {
    const { state, problem, notes, files, records, head } = chain
    const name = shownLine(chain.session ?? chain.chain, 80)
    if (problem !== undefined) {
      const word = state === 'torn' ? paint.yellow(state) : paint.red(state)
      return [
        `${word}  ${name}  ${shownLine(problem.file)}: record ${problem.seq}: ${shownLine(problem.detail, 300)}`,
        ...notes.map((note) => `        ${shownLine(note)}`),
      ]
    }
    if (!verbose && notes.length === 0) return []
    return [
      `${paint.green(state)}  ${name}  ${count(files.length, 'file')}, ${count(records, 'record')}, head ${head.seq}:${head.hash}`,
      ...notes.map((note) => `      ${shownLine(note)}`),
    ]
  })
  if (missingHead !== undefined)
    lines.push(`${paint.red('broken')}  no session holds ${shownLine(missingHead, 64)}: the newest records were cut off, or the whole file was.`)
  const total = chains.reduce((sum, chain) => sum + chain.records, 0)
  const bad = chains.filter((chain) => chain.state !== 'good').length
  lines.push(
    `${count(chains.length, 'session')}, ${count(total, 'record')}: ${bad === 0 ? 'as they were written' : `${bad} not as ${bad === 1 ? 'it was' : 'they were'} written`}.`,
  )
  return lines.join('\n')
}
