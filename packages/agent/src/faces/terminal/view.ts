/** What a person sees of a session: events of the agent as lines, text as it streams, one spinner for what runs. */
import type { AgentEvent, TurnResult } from '../../events.ts'
import type { Spinner } from './spinner.ts'
import { oneLine, type Paint, safe, safePieces } from './text.ts'

export interface ViewContext {
  write(text: string): void
  paint: Paint
  width: () => number
  spinner: Spinner
  /** Shows hooks that ended well, too. */
  verbose: boolean
}

/** Gives the reader of events. */
export function createView({ write, paint, width, spinner, verbose }: ViewContext): (event: AgentEvent) => void {
  let streaming = false
  let pieces = safePieces()
  const line = (text: string): void => {
    spinner.clear()
    write(`${streaming ? '\n' : ''}${text}${text === '' && streaming ? '' : '\n'}`)
    streaming = false
    spinner.quiet(false)
    pieces = safePieces()
  }
  const tool = (name: string, input: unknown): string => `${name} ${subjectOf(input)}`.trim()
  return (event) => {
    switch (event.kind) {
      case 'turn-start':
        spinner.show('turn', 'thinking')
        return
      case 'text':
        if (event.agentId !== undefined) return
        spinner.clear()
        write(pieces(event.text))
        streaming = !event.text.endsWith('\n')
        spinner.quiet(streaming)
        return
      case 'message':
        // Its text was shown as it came, by hooks of MessageDisplay where there are some.
        if (event.message.role === 'assistant' && event.agentId === undefined && streaming) line('')
        return
      case 'tool-start':
        line(
          `${paint('cyan', '●')} ${event.agentId === undefined ? '' : paint('dim', `${event.agentId} `)}${oneLine(tool(event.name, event.input), width() - 4)}`,
        )
        spinner.show(`tool ${event.id}`, tool(event.name, event.input))
        return
      case 'tool-progress':
        if (event.text.trim() !== '') spinner.show(`tool ${event.id}`, lastLine(event.text))
        return
      case 'tool-end':
        spinner.done(`tool ${event.id}`)
        line(
          `  ${paint('dim', '└')} ${event.status === 'ran' ? paint('dim', oneLine(event.text, width() - 6)) : paint('red', oneLine(`${event.status}: ${event.text}`, width() - 6))}`,
        )
        return
      case 'hook-start':
        spinner.show(`hook ${event.callId} ${event.hook.id}`, event.statusMessage ?? `${event.event} hook ${event.hook.label}`)
        return
      case 'hook-output':
        if (event.text.trim() !== '') spinner.show(`hook ${event.callId} ${event.hook}`, lastLine(event.text))
        return
      case 'hook-end':
        spinner.done(`hook ${event.callId} ${event.hook.id}`)
        // One that the end of the session cut off is no news.
        if (event.background === true && event.ending.kind === 'aborted') return
        // What went wrong with a hook is said by a notice.
        if (event.outcome === 'blocking' || verbose) line(hookLine(event, paint, width()))
        return
      case 'hook-unfit':
        if (verbose) line(paint('yellow', oneLine(`  ${event.event} hook ${event.hook.label} does not run: ${event.why}`, width() - 1)))
        return
      case 'notice':
        if (event.level !== 'info' || verbose || event.diagnostic === undefined)
          line(paint(event.level === 'error' ? 'red' : event.level === 'warning' ? 'yellow' : 'dim', safe(event.text)))
        return
      case 'retry':
        line(paint('yellow', `The model did not answer (${safe(event.reason)}); trying again in ${Math.round(event.delayMs / 100) / 10} s.`))
        return
      case 'subagent-start':
        spinner.show(`agent ${event.agentId}`, `${event.type}: ${event.description}`)
        return
      case 'subagent-end':
        spinner.done(`agent ${event.agentId}`)
        return
      case 'compacted':
        line(paint('dim', `The conversation was compacted (${event.tokensBefore} tokens before).`))
        return
      case 'mode':
        line(paint('dim', `mode ${event.mode}`))
        return
      case 'terminal':
        // Checked against the list of allowed sequences by the engine.
        write(event.sequence)
        return
      case 'turn-end':
        spinner.stop()
        endOfTurn(event.result, line, paint)
        return
      default:
        return
    }
  }
}

function endOfTurn(result: TurnResult, line: (text: string) => void, paint: Paint): void {
  if (result.notice !== undefined) line(paint('yellow', safe(result.notice)))
  if (result.reason === 'local' && result.text !== '') line(safe(result.text))
  if (result.reason === 'interrupted') line(paint('yellow', 'Interrupted.'))
  if (result.reason === 'max_turns') line(paint('yellow', 'The limit of --max-turns was reached.'))
  if (result.error !== undefined) line(paint('red', safe(`${result.error.message}${result.error.hint === undefined ? '' : `\n${result.error.hint}`}`)))
}

function hookLine(event: Extract<AgentEvent, { kind: 'hook-end' }>, paint: Paint, width: number): string {
  const said = lastLine(event.stderr === '' ? event.stdout : event.stderr)
  const what =
    event.ending.kind === 'deferred'
      ? 'goes on in the background'
      : { success: 'done', blocking: 'blocked', nonBlockingError: 'failed', cancelled: 'cancelled' }[event.outcome]
  const style = event.outcome === 'success' ? 'dim' : event.outcome === 'blocking' ? 'yellow' : 'red'
  return paint(style, oneLine(`  ${event.event} hook ${event.hook.label} ${what}, ${Math.round(event.ms)} ms${said === '' ? '' : `: ${said}`}`, width - 1))
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

/** The part of a tool's input that a person wants to see. */
export function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const key of ['command', 'file_path', 'notebook_path', 'pattern', 'url', 'description', 'skill', 'query', 'subject', 'name']) {
    if (typeof fields[key] === 'string') return fields[key]
  }
  const text = JSON.stringify(input)
  return text === '{}' ? '' : text
}
