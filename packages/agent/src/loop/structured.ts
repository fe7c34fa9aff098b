/** Answers that must fit a JSON Schema: the StructuredOutput tool, and a function hook that does not let the turn end without it. */
import { Ajv, type ErrorObject } from 'ajv'
import { z } from 'zod'
import { UsageError } from '../session/handle.ts'
import type { Held } from '../session/open.ts'
import { type AnyTool, ToolError } from '../tools/tool.ts'

/** The tool for a schema; `take` gets each answer that fits. @throws UsageError when the schema is none. */
export function structuredOutputTool(schema: object, take: (value: unknown) => void): AnyTool {
  const ajv = new Ajv({ strict: false, allErrors: true })
  let validate: ReturnType<Ajv['compile']>
  try {
    validate = ajv.compile(schema)
  } catch (error) {
    throw new UsageError(`--json-schema: this is no JSON Schema: ${error instanceof Error ? error.message : String(error)}.`)
  }
  return {
    name: 'StructuredOutput',
    description: 'Gives the final answer in the form that was asked for. Call it once, at the end.',
    kind: 'other',
    schema: z.record(z.string(), z.unknown()),
    inputSchema: schema,
    async execute(input) {
      if (!validate(input)) throw new ToolError(`Output does not match required schema: ${(validate.errors ?? []).map(wordsOf).join('; ')}`)
      take(input)
      return { response: 'Structured output provided successfully', text: 'Structured output provided successfully' }
    },
  }
}

function wordsOf({ instancePath, message }: ErrorObject): string {
  return `${instancePath === '' ? 'root' : instancePath}: ${message}`
}

/** Adds the tool to the main conversation, and the hook that asks for it. */
export function attachStructuredOutput(held: Held, schema: object): void {
  held.conversation.toolbox.add([structuredOutputTool(schema, (value) => (held.conversation.structured = { value }))])
  held.scope.addFunctionHook(
    'Stop',
    { id: 'structured-output', errorMessage: 'You MUST call the StructuredOutput tool to complete this request. Call this tool now.' },
    () => held.conversation.structured !== undefined,
  )
}
