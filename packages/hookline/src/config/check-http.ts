/** Checks of http hooks: the URL, and the variables in headers. */
import { quoted } from './findings.ts'

/** What is wrong with the URL of an http hook, in words; `undefined` when nothing is. */
export function urlFault(url: string): string | undefined {
  if (!URL.canParse(url)) return `${quoted(url)} is no absolute URL`
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return `${quoted(url)} is neither http nor https`
  if (username !== '' || password !== '') return 'the URL holds a user name or a password; send it in a header'
  return undefined
}

/** The variables that headers use and that `allowedEnvVars` does not list, each once. */
export function unlistedVariables(headers: Readonly<Record<string, unknown>>, allowed: readonly string[]): string[] {
  const names = Object.values(headers).flatMap((value) =>
    typeof value === 'string' ? [...value.matchAll(/\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g)].map((found) => (found[1] ?? found[2]) as string) : [],
  )
  return [...new Set(names)].filter((name) => !allowed.includes(name))
}
