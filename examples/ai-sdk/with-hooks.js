/** Puts hooks around AI SDK tools: the SDK asks the person when a hook asks, and runs a tool only under a permit. */

/** The same tools, gated by a scope of Hookline. A refused call becomes a tool error that the model reads. */
export function withHooks(scope, tools) {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, gate(scope, { name, tool })]))
}

function gate(scope, { name, tool }) {
  // permit() may be asked twice about one call id: its hooks run once.
  const permit = (input, id) => scope.permit({ name, input, id }, { ask: 'return' })
  return {
    ...tool,
    needsApproval: async (input, { toolCallId }) => (await permit(input, toolCallId)).behavior === 'ask',
    execute: async (input, options) => {
      const permitted = await permit(input, options.toolCallId)
      // The SDK comes here only after the person said yes, so that is the answer to the question.
      const decided = permitted.question ? await permitted.answer({ behavior: 'allow' }) : permitted
      const run = await scope.runTool(decided, (rewritten) => tool.execute(rewritten, options), { signal: options.abortSignal })
      if (run.kind === 'ran') return run.toModel ? { result: run.output, notes: run.toModel } : run.output
      throw run.kind === 'failed' ? run.error : new Error(run.toModel)
    },
  }
}

/** Runs the agent until it is done and no Stop hook sends it back. `approve` answers for the person. */
export async function generate(scope, { run, prompt, approve }) {
  const asked = await scope.fire('UserPromptSubmit', { prompt })
  const messages = [{ role: 'user', content: asked.toModel ? `${prompt}\n\n${asked.toModel}` : prompt }]
  while (!asked.blocked && !asked.stop) {
    const result = await run(messages)
    messages.push(...result.response.messages)
    const questions = result.content.filter((part) => part.type === 'tool-approval-request')
    if (questions.length > 0) {
      const answers = questions.map(({ approvalId, toolCall }) => ({ type: 'tool-approval-response', approvalId, approved: approve(toolCall) }))
      messages.push({ role: 'tool', content: answers })
      continue
    }
    const end = await scope.fire('Stop', { last_assistant_message: result.text })
    if (end.stop || !end.blocked) break
    messages.push({ role: 'user', content: end.toModel })
  }
  return messages
}
