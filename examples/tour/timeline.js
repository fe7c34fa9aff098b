/** Prints what the trace says: each event with its hooks, the verdict and what was said about it. An ordinary reader of the trace; it changes nothing. */
import { events } from 'hookline'

const codes = { red: 31, green: 32, yellow: 33, dim: 2 }
const indent = (text) => text.replace(/^/gm, '           ')
const blockWords = { refuse: 'refused', resume: 'sent back' }

/** A listener for `trace.subscribe`. It also notes each step in `steps`, as "Event subject: word". */
export function timeline({ print, colour, steps, folder }) {
  const paint = (code, text) => (colour ? `\u001b[${codes[code]}m${text}\u001b[0m` : text)
  const startedAt = performance.now()
  let subject = ''

  const step = (event, { word, hooks = [], says = [] }) => {
    const head = [event, subject].filter(Boolean).join(' ')
    const at = `${((performance.now() - startedAt) / 1000).toFixed(2)} s`
    const result = paint(word === 'goes on' ? 'green' : word === 'rewritten' ? 'yellow' : 'red', word)
    print([`${at.padStart(7)}  ${head}: ${result}`, ...hooks, ...says.map(indent), ''].join('\n'))
    steps.push(`${head}: ${word}`)
  }

  const hookLine = (hook) => {
    const name = hook.label.padEnd(16)
    if (hook.status === 'skipped') return paint('dim', indent(`${name} skipped: ${hook.skipped.detail}`))
    return indent(`${name} ${hook.ending.kind === 'exited' ? `exit ${hook.ending.code}` : hook.ending.kind}`)
  }

  return (line) => {
    if (line.kind === 'fired') subject = subjectOf(line.input).replaceAll(`${folder}/`, '')
    const refused = line.kind === 'permitted' && line.behavior === 'deny' && line.cause !== 'hook'
    if (refused) step('Permission', { word: `refused by a ${line.cause}`, says: [line.reason] })
    if (line.kind !== 'verdict') return
    const { verdict } = line
    // Events that nobody hooked are no news.
    if (verdict.hooks.every((hook) => hook.status === 'skipped') && !verdict.blocked) return
    const word = verdict.blocked ? blockWords[events[verdict.event].onBlock] : 'updatedInput' in verdict ? 'rewritten' : 'goes on'
    const says = []
    if ('updatedInput' in verdict) says.push(`input is now: ${JSON.stringify(verdict.updatedInput)}`)
    if (verdict.toModel !== '') says.push(`to the model: ${verdict.toModel}`)
    if (verdict.toUser !== '') says.push(`to the person: ${verdict.toUser}`)
    step(verdict.event, { word, hooks: verdict.hooks.map(hookLine), says })
  }
}

/** What the event is about, in a few words. */
function subjectOf({ tool_name, tool_input, source, reason }) {
  return [tool_name, tool_input?.command ?? tool_input?.file_path, source, reason].filter((part) => typeof part === 'string').join(' ')
}
