/** Masks what looks like a credential, in texts that others wrote and that Hookline shows. */

const secrets: readonly [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***'],
  [/\b(?:sk-[\w-]{8,}|gh[opsur]_\w{16,}|xox[abprs]-[\w-]{8,}|AKIA[0-9A-Z]{12,}|AIza[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]+\.[\w-]+)/g, '***'],
  [/(:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}@/g, '$1***@'],
  [/((?:password|passwd|secret|token|api[_-]?key)["']?\s?[=:]\s?["']?)[^\s"'&]{4,}/gi, '$1***'],
]

/** The text with what looks like a credential replaced by `***`. */
export function maskSecrets(text: string): string {
  let masked = text
  for (const [pattern, instead] of secrets) masked = masked.replace(pattern, instead)
  return masked
}
