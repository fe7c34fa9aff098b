/** An agent loop by hand, with hooks around the prompt, every tool call and the end of the turn. */
import { createHookline } from 'hookline/node'

/** Works on one prompt until the model has nothing left to do and no hook sends it back; gives the conversation. */
export async function work(prompt, { model, tools, ...options }) {
  // #region loop
  const hookline = await createHookline(options)
  const asked = await hookline.fire('UserPromptSubmit', { prompt })
  const messages = [{ role: 'user', text: `${prompt}\n${asked.toModel}` }]
  while (!asked.blocked && !asked.stop) {
    const { text, calls } = await model(messages)
    const runs = await Promise.all(calls.map((call) => hookline.runTool(call, tools[call.name])))
    messages.push({ role: 'assistant', text }, ...runs.map(asMessage))
    if (runs.some((run) => run.stop)) break
    if (runs.length > 0) continue
    const end = await hookline.fire('Stop', { last_assistant_message: text })
    if (end.stop || !end.blocked) break
    messages.push({ role: 'user', text: end.toModel })
  }
  await hookline.close()
  // #endregion
  return messages
}

/** What the model reads about a tool call: its output and what hooks said, or why it did not run. */
function asMessage(run) {
  const output = run.kind === 'ran' ? run.output : run.kind === 'failed' ? `Error: ${run.error.message}` : ''
  return { role: 'tool', text: [output, run.toModel].filter(Boolean).join('\n') }
}
