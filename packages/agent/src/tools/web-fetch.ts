/** WebFetch: reads a page from the network as Markdown, and answers a question about it where a small model is at hand. */
import { z } from 'zod'
import { guardedGet, type Page } from './guarded-get.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool.ts'

const schema = z.strictObject({
  url: z.string().min(1).describe('The whole address, with https://'),
  prompt: z.string().describe('What you want to know from the page'),
})

const limits = { shortCharacters: 4000, bytes: 10 * 1024 * 1024, characters: 100_000, redirects: 5, timeoutMs: 60_000 }

/** `allowedOrigins` may be reached although their addresses are not public. */
export function createWebFetch(allowedOrigins: readonly string[]) {
  return defineTool({
    name: 'WebFetch',
    description:
      'Fetches a page and gives it as Markdown, or what it says about the prompt. Public addresses only; a redirect to another host is reported, not followed.',
    kind: 'other',
    schema,
    async execute({ url, prompt }, context) {
      const { signal } = context
      const began = performance.now()
      const get = (to: URL) =>
        guardedGet(to, { signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]), limitBytes: limits.bytes, allowedOrigins })
      const first = parse(url, allowedOrigins)
      const { page, elsewhere } = await follow(first, get)
      const common = { bytes: page.bytes.length, code: page.status, codeText: page.statusText, durationMs: Math.round(performance.now() - began), url }
      if (elsewhere !== undefined) {
        const text = `REDIRECT DETECTED: The URL redirects to a different host.\n\nOriginal URL: ${url}\nRedirect URL: ${elsewhere}\nStatus: ${page.status} ${page.statusText}\n\nTo go on, call WebFetch with the redirect URL.`
        return { response: { ...common, result: text }, text }
      }
      const content = await contentOf(page)
      const result = page.status >= 400 ? `The server answered ${page.status} ${page.statusText}.\n\n${content}` : await answerTo(prompt, content, context)
      return { response: { ...common, result }, text: result } satisfies ToolResult
    },
    textOf: (response) => {
      const { result } = (response ?? {}) as { result?: unknown }
      return typeof result === 'string' ? result : undefined
    },
  })
}

// The environment that the process was started with, never a project's.
export const webFetch = createWebFetch((process.env['HOOKLINE_HTTP_ORIGINS'] ?? '').split(/[\s,]+/).filter((origin) => origin !== ''))

function parse(text: string, allowedOrigins: readonly string[]): URL {
  if (!URL.canParse(text)) throw new ToolError(`Invalid URL "${text}". Write it whole, with https://.`)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ToolError(`${url.protocol} addresses may not be fetched, only http and https.`)
  if (url.username !== '' || url.password !== '') throw new ToolError('A URL with a name or password is not fetched.')
  // What can be had safely is not asked for in the open; an origin that somebody listed is taken as it is.
  if (url.protocol === 'http:' && !allowedOrigins.includes(url.origin)) url.protocol = 'https:'
  return url
}

async function follow(first: URL, get: (url: URL) => Promise<Page>): Promise<{ page: Page; elsewhere?: string }> {
  let at = first
  for (let left = limits.redirects; ; left--) {
    const page = await get(at)
    if (page.status < 300 || page.status >= 400 || page.location === undefined) return { page }
    const next = new URL(page.location)
    const bare = (url: URL) => url.host.replace(/^www\./, '')
    if (bare(next) !== bare(first) || next.protocol !== first.protocol) return { page, elsewhere: next.href }
    if (left === 0) throw new ToolError(`${first.href} redirects more than ${limits.redirects} times.`)
    at = next
  }
}

/** Pages that are short are read whole; a small model that fails costs no more than its answer. */
async function answerTo(prompt: string, content: string, { workspace, signal }: ToolContext): Promise<string> {
  const { summarize } = workspace.services
  if (summarize === undefined || content.length <= limits.shortCharacters) return content
  try {
    return await summarize({ prompt, text: content }, { signal })
  } catch (error) {
    signal.throwIfAborted()
    return `${content}\n\n[The page is given whole, because no small model answered: ${error instanceof Error ? error.message : String(error)}]`
  }
}

async function contentOf({ bytes, contentType }: Page): Promise<string> {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!/^(text\/|application\/(json|xml|xhtml\+xml|javascript|.*\+(json|xml))|$)/.test(type))
    return `[${type}, ${bytes.length} bytes; not text, so it is not shown]`
  const charset = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  const text = decode(bytes, charset)
  const shown = type === 'text/html' || type === 'application/xhtml+xml' ? await toMarkdown(text) : text
  return shown.length <= limits.characters ? shown : `${shown.slice(0, limits.characters)}\n\n[${shown.length - limits.characters} characters left out]`
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

async function toMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await import('turndown')
  const service = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
  return service.remove(['script', 'style', 'noscript', 'iframe']).turndown(html)
}
