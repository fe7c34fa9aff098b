/** Questions to the person at the terminal: may this tool run, which answer, is this folder trusted. */
import type { Ask, AskTrust, PermissionAnswer, PermissionUpdate } from 'hookline'
import type { ElicitationAnswer, ElicitationRequest } from '../../mcp/elicitation.ts'
import type { AskedQuestion } from '../../tools/tool.ts'
import type { Paint } from './text.ts'
import { safe } from './text.ts'
import { subjectOf } from './view.ts'

export interface Asker {
  write(text: string): void
  paint: Paint
  /** One line typed by the person; rejects when the question is withdrawn or the input ends. */
  line(prompt: string, signal?: AbortSignal): Promise<string>
  /** Called when a question has waited for a while. */
  waiting(message: string): { answered(): void }
}

const words: Readonly<Record<string, string>> = { y: 'yes', a: 'always', n: 'no', o: 'once', d: 'done' }

/** One of the letters, or its word; anything else is asked again: a sentence that begins with a letter is no answer. */
async function choose(asker: Asker, question: { prompt: string; letters: string; signal?: AbortSignal }): Promise<string> {
  for (;;) {
    const typed = (await asker.line(question.prompt, question.signal)).trim().toLowerCase()
    const letter = [...question.letters].find((one) => typed === one || typed === words[one])
    if (letter !== undefined) return letter
  }
}

/** A plain yes or no. */
export async function askYes(asker: Asker, prompt: string): Promise<boolean> {
  return (await choose(asker, { prompt, letters: 'yn' })) === 'y'
}

/** Yes, always (what the suggestions say), or no with a word to the model. Rules that are granted for good are noted in `granted`. */
export function askPermission(asker: Asker, granted: Set<string>): Ask {
  return async ({ call, reason, suggestions }, { signal }): Promise<PermissionAnswer> => {
    const { paint } = asker
    const waiting = asker.waiting(`Permission to use ${call.name} is asked`)
    try {
      asker.write(`${paint('yellow', paint('bold', `May ${call.name} run?`))}\n${safe(wholeInput(call.input))}\n`)
      if (reason !== undefined && reason !== '') asker.write(`${paint('dim', safe(reason))}\n`)
      const always = suggestions.length > 0
      if (always) asker.write(`${paint('dim', safe(`always: ${suggestions.map(grantOf).join('; ')}`))}\n`)
      const letter = await choose(asker, { prompt: `[y]es, ${always ? '[a]lways, ' : ''}[n]o: `, letters: always ? 'yan' : 'yn', signal })
      if (letter === 'y') return { behavior: 'allow' }
      if (letter === 'a') {
        for (const update of suggestions) if (update.type === 'addRules') for (const rule of rulesOf(update)) granted.add(`${update.behavior} ${rule}`)
        return { behavior: 'allow', updatedPermissions: suggestions }
      }
      const message = (await asker.line('What should be done instead? (empty: stop here) ', signal)).trim()
      return message === '' ? { behavior: 'deny', message: 'The person refused this call.', interrupt: true } : { behavior: 'deny', message }
    } finally {
      waiting.answered()
    }
  }
}

const places = {
  session: 'this session',
  localSettings: 'settings.local.json',
  projectSettings: "the project's settings",
  userSettings: 'your settings',
} as const

/** What a suggestion grants, in words. */
function grantOf(update: PermissionUpdate): string {
  const where = `for ${places[update.destination]}`
  if (update.type === 'setMode') return `mode ${update.mode}, ${where}`
  if ('directories' in update) return `work in ${update.directories.join(', ')}, ${where}`
  return `${update.behavior} ${rulesOf(update).join(', ')}, ${update.destination === 'session' ? where : `in ${places[update.destination]}`}`
}

function rulesOf({ rules }: Extract<PermissionUpdate, { rules: unknown }>): string[] {
  return rules.map(({ toolName, ruleContent }) => (ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`))
}

/** The input whole, never cut: the person decides about all of it. */
function wholeInput(input: Record<string, unknown>): string {
  const subject = subjectOf(input)
  const rest = Object.entries(input).filter(([, value]) => value !== subject)
  return [
    `  ${subject.replaceAll('\n', '\n  ')}`,
    ...rest.map(([key, value]) => `  ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ].join('\n')
}

/** What the folder would run, item by item; a yes covers what was shown and nothing later. What the person granted a moment ago is no question. */
export function askTrust(asker: Asker, granted: ReadonlySet<string>): AskTrust {
  return async ({ folder, items }, { signal }) => {
    if (items.length > 0 && items.every(({ kind, text }) => kind === 'rule' && granted.has(text))) return 'always'
    asker.write(
      `${asker.paint('yellow', asker.paint('bold', `${safe(folder)} brings ${items.length} thing${items.length === 1 ? '' : 's'} that would run:`))}\n`,
    )
    for (const item of items) {
      const where = item.file === undefined ? '' : ` (${safe(item.file)}${item.line === undefined ? '' : `:${item.line}`})`
      asker.write(`  ${item.change ?? ''} ${item.kind}${where}\n    ${safe(item.text).replaceAll('\n', '\n    ')}\n`)
    }
    const letter = await choose(asker, { prompt: '[o]nce, [a]lways, [n]o: ', letters: 'oan', signal })
    return letter === 'o' ? 'once' : letter === 'a' ? 'always' : 'no'
  }
}

/** AskUserQuestion: numbers of the options, or a text of one's own. */
export async function askUser(asker: Asker, questions: readonly AskedQuestion[], signal: AbortSignal): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { question, options, multiSelect } of questions) {
    asker.write(
      `${asker.paint('bold', safe(question))}\n${options.map(({ label, description }, at) => `  ${at + 1}. ${safe(label)}${description === '' ? '' : `: ${safe(description)}`}`).join('\n')}\n`,
    )
    const typed = (await asker.line(multiSelect ? 'Numbers, or your own answer: ' : 'Number, or your own answer: ', signal)).trim()
    const numbers = /^\d+(\s*,\s*\d+)*$/.test(typed) ? typed.split(',').map((part) => Number(part)) : []
    const chosen = (multiSelect ? numbers : numbers.slice(0, 1)).flatMap((number) => options[number - 1]?.label ?? [])
    answers[question] = chosen.length > 0 ? chosen.join(', ') : typed
  }
  return answers
}

type Property = { type?: string; title?: string; description?: string; enum?: string[]; default?: unknown }

/** A form of an MCP server, field by field; an empty answer takes the default, `-` declines. */
export async function askForm(asker: Asker, request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer> {
  asker.write(`${asker.paint('bold', `MCP server ${safe(request.server)} asks:`)} ${safe(request.message)}\n`)
  if (request.mode === 'url') {
    asker.write(`  ${safe(request.url ?? '')}\n`)
    const letter = await choose(asker, { prompt: 'Open this address in your browser. [d]one, [n]o: ', letters: 'dn', signal })
    return { action: letter === 'd' ? 'accept' : 'decline' }
  }
  const properties = (request.schema?.['properties'] ?? {}) as Record<string, Property>
  const required = (request.schema?.['required'] ?? []) as string[]
  const content: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    for (;;) {
      const label = `${property.title ?? name}${property.enum === undefined ? '' : ` (${property.enum.join(', ')})`}${required.includes(name) ? '' : ', optional'}`
      const typed = (await asker.line(`${safe(label)}: `, signal)).trim()
      if (typed === '-') return { action: 'decline' }
      const read = readField(typed, property)
      if (read !== undefined) content[name] = read
      if (read !== undefined || (typed === '' && !required.includes(name))) break
    }
  }
  return { action: 'accept', content }
}

function readField(typed: string, property: Property): unknown {
  if (typed === '') return property.default
  if (property.type === 'number' || property.type === 'integer') return Number.isFinite(Number(typed)) ? Number(typed) : undefined
  if (property.type === 'boolean') return /^(y|yes|true|1)$/i.test(typed) ? true : /^(n|no|false|0)$/i.test(typed) ? false : undefined
  return property.enum === undefined || property.enum.includes(typed) ? typed : undefined
}
