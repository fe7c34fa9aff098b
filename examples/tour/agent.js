/** The agent of the tour: a loop that obeys verdicts, with a script in the place of a model. */

/** Works on one prompt: takes turns from the script until a Stop verdict lets it end. */
export async function work(hookline, { prompt, turns, tools }) {
  const asked = await hookline.fire('UserPromptSubmit', { prompt })
  if (asked.blocked || asked.stop) return
  while (turns.length > 0) {
    const { says, calls } = turns.shift()
    for (const call of calls) await hookline.runTool(call, tools[call.name])
    if (calls.length > 0) continue
    const end = await hookline.fire('Stop', { last_assistant_message: says })
    if (end.stop || !end.blocked) return
  }
}
