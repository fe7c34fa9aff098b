/** The rules of the house that no linter knows: each takes one file and names what is wrong with it. */
import { basename } from 'node:path'
import ts from 'typescript'
import { rows } from '../../src/protocol/events.ts'
import { type Page, placeOf, walk } from './reading.ts'

/** A rule: findings about one file, as `path:line what`. */
export type Rule = (page: Page) => string[]

const src = /^packages\/[^/]+\/src\//
const core = /^packages\/hookline\/src\/(protocol|config|engine|handlers)\//
const table = 'packages/hookline/src/protocol/events.ts'
const prints = /^packages\/([^/]+\/src\/(cli\/|hook\.ts$)|agent\/src\/(faces\/|run\.ts$))/

/** Collects a finding for every node that `wrong` has something to say about. */
function findings(page: Page, wrong: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = []
  walk(page.syntax, (node) => {
    const what = wrong(node)
    if (what !== undefined) found.push(`${placeOf(page, node)} ${what}`)
  })
  return found
}

/** Every file opens with a sentence on what the room is for. */
export const opensWithSentence: Rule = (page) => {
  const opening = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//
    .exec(page.text)?.[1]
    ?.replace(/^\s*\* ?/gm, '')
    .trim()
  if (opening === undefined) return [`${page.path}:1 does not open with /** what the room is for */`]
  return /[A-Za-z].*\.$/s.test(opening) ? [] : [`${page.path}:1 opens with a comment that is no sentence`]
}

/** No source file is over 300 lines, save the event table. */
export const staysSmall: Rule = (page) => {
  const lines = page.text.replace(/\n$/, '').split('\n').length
  return lines > 300 && page.path !== table ? [`${page.path}:300 has ${lines} lines`] : []
}

/** Rooms are named after what happens in them. */
export const hasHonestName: Rule = (page) => {
  const parts = page.path.replace(src, '').split('/')
  const empty = parts.filter((part) => /^(utils?|common|core|helpers?|misc|shared|types)(\.ts)?$/.test(part))
  const barrel = parts.length > 1 && basename(page.path) === 'index.ts' ? ['index.ts, a barrel'] : []
  const shape = parts.filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.property\.test|\.test-d)?(\.ts)?$/.test(part))
  return [...empty, ...barrel, ...shape].map((part) => `${page.path}:1 is called ${part}`)
}

/** No Manager, Service or System; no default export; at most three parameters. */
export const keepsTheStyle: Rule = (page) =>
  findings(page, (node) => {
    if (ts.isClassDeclaration(node) && /(Manager|Service|System)$/.test(node.name?.text ?? '')) return `class ${node.name?.text}: say what it does`
    if (ts.isExportAssignment(node)) return 'has a default export'
    if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword)) return 'has a default export'
    if (ts.isFunctionLike(node) && 'body' in node && node.parameters.filter((one) => one.name.getText(page.syntax) !== 'this').length > 3) {
      return `${node.name?.getText(page.syntax) ?? 'a function'} takes more than three parameters`
    }
    return undefined
  })

const eventNames = Object.keys(rows)
/** Names that are also ordinary words: they count only when they are the whole literal. */
const ordinary = new Set(['Stop', 'Setup', 'Notification', 'Elicitation'])
const telling = new RegExp(`\\b(${eventNames.filter((name) => !ordinary.has(name)).join('|')})\\b`)

/** The core names an event through its row, never as text: knowledge about events stands in the table. Types are checked by the compiler. */
export const namesNoEvent: Rule = (page) => {
  if (!core.test(page.path) || page.path === table) return []
  return findings(page, (node) => {
    if (ts.isPropertyAssignment(node) && eventNames.includes(node.name.getText(page.syntax)))
      return `has a key ${node.name.getText(page.syntax)}: make it a column of the table`
    const literal =
      ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
    if (!literal || ts.isLiteralTypeNode(node.parent)) return undefined
    const name = eventNames.includes(node.text) ? node.text : telling.exec(node.text)?.[1]
    return name === undefined ? undefined : `names the event ${name}: use events.${name}.name or a column of the row`
  })
}

/** Only the command line, the agent's faces and hook.ts print or decide the exit code. */
export const printsNothing: Rule = (page) => {
  if (!src.test(page.path) || prints.test(page.path)) return []
  return findings(page, (node) => {
    if (!ts.isPropertyAccessExpression(node)) return undefined
    const text = node.getText(page.syntax).replace(/^globalThis\./, '')
    return /^(console\.\w+|process\.(exit|exitCode|abort|stdout|stderr))$/.test(text) ? `uses ${text}` : undefined
  })
}

/** Only engine/call.ts turns the input into text; everybody else reads the payload. */
export const serialisesNoInput: Rule = (page) => {
  if (!/^packages\/hookline\/src\/(engine|station|handlers|process)\//.test(page.path) || page.path.endsWith('/engine/call.ts')) return []
  return findings(page, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText(page.syntax) !== 'JSON.stringify') return undefined
    const subject = node.arguments[0]?.getText(page.syntax) ?? ''
    return /\b(input|payload)\b/.test(subject) ? `serialises ${subject}: read the call's payload` : undefined
  })
}

/** No test is switched off, singled out or promised for later. */
export const runsEveryTest: Rule = (page) =>
  findings(page, (node) => {
    if (!ts.isPropertyAccessExpression(node) || !/^(skip|only|todo|skipIf|runIf|fails)$/.test(node.name.text)) return undefined
    return /^(test|it|describe)\b/.test(node.expression.getText(page.syntax)) ? `uses ${node.getText(page.syntax)}` : undefined
  })
