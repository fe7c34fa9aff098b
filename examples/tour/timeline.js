/** Prints what the agent and the trace say: prompts, words of the model, each event with its hooks, the verdict and what was said about it. An ordinary reader; it changes nothing. */
import { events } from 'hookline'

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 }
const indent = (text) => text.replace(/^/gm, '           ')
const blockWords = { refuse: 'refused', resume: 'sent back' }

/** Listeners: `said` for the agent, `fired` for `trace.subscribe`. Each step is also noted in `steps`, as "Event subject: word". */
export function timeline({ print, colour, steps, folder }) {
  const paint = (code, text) => (colour ? `\u001b[${codes[code]}m${text}\u001b[0m` : text)
  const startedAt = performance.now()
  let subject = ''

  const clock = () => `${((performance.now() - startedAt) / 1000).toFixed(2)} s`.padStart(7)
  // Nothing that a model or a tool writes steers the terminal.
  const plain = (text) => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?')
  const say = (who, text) => print(`${clock()}  ${paint('bold', who)} ${plain(text)}\n`)

  const said = (event) => {
    if (event.kind === 'turn-start') say('you:', event.prompt)
    if (event.kind !== 'message' || event.message.role !== 'assistant') return
    for (const block of event.message.content) if (block.type === 'text') say('the model:', block.text)
  }

  const step = (event, { word, hooks = [], says = [] }) => {
    const head = [event, subject].filter(Boolean).join(' ')
    const result = paint(word === 'goes on' ? 'green' : word === 'rewritten' ? 'yellow' : 'red', word)
    print([`${clock()}  ${plain(head)}: ${result}`, ...hooks, ...says.map((text) => indent(plain(text))), ''].join('\n'))
    steps.push(`${head}: ${word}`)
  }

  const hookLine = (hook) => {
    const name = hook.label.padEnd(16)
    if (hook.status === 'skipped') return paint('dim', indent(`${name} skipped: ${hook.skipped.detail}`))
    return indent(`${name} ${hook.ending.kind === 'exited' ? `exit ${hook.ending.code}` : hook.ending.kind}`)
  }

  const fired = (line) => {
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
  return { said, fired }
}

/** What the event is about, in a few words. */
function subjectOf({ tool_name, tool_input, source, reason }) {
  return [tool_name, tool_input?.command ?? tool_input?.file_path, source, reason].filter((part) => typeof part === 'string').join(' ')
}
