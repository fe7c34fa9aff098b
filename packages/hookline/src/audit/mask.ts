/** Takes secrets out of what is kept: values of keys that name a secret, tokens of well-known shape, and what looks random behind an equals sign. */

const stars = '***'
/** Words that name a secret, in a key, a variable, an option or a header. */
const words =
  'pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?|auth(?:orization)?|cookie|bearer'
const secretKey = new RegExp(`(?:${words})`, 'i')
/** Keys that hold one of the words and no secret: `max_tokens`, `author`. */
const harmless =
  /author(?!iz)|tokens?[_-]?(?:count|limit|used|budget|type)|(?:max|input|output|total|num|prompt|completion)[_-]?tokens?|cookie[_-]?jar[_-]?path/i

/** Whether the value under this key is masked whatever it is. */
export function namesSecret(key: string): boolean {
  return secretKey.test(key) && !harmless.test(key)
}

type Rule = readonly [pattern: RegExp, instead: string | ((found: string, ...groups: never[]) => string)]

const value = String.raw`(?:\\?"[^"\\]*|\\?'[^'\\]*|[^\s"'\\&;,|)}\]]+)`
// No rule has two unbounded parts that can match the same text, so that a long input cannot make one slow.
const rules: readonly Rule[] = [
  [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----END))*(?:-----END [A-Z0-9 ]{0,40}-----)?/g, stars],
  [
    /(\b(?:proxy-)?authorization["']?\s{0,4}[:=]\s{0,4}["']?|\b(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?|\bx-[\w-]{0,40}(?:key|token|secret)["']?\s{0,4}:\s{0,4}["']?)[^\r\n"'\\]+/gi,
    `$1${stars}`,
  ],
  [/\b(bearer\s{1,4})[\w.~+/=-]{8,}/gi, `$1${stars}`],
  [/\b(basic\s{1,4})[A-Za-z0-9+/]{12,}={0,2}/gi, `$1${stars}`],
  [
    /\b(?:sk-[\w-]{8,}|[prs]k_(?:live|test)_\w{8,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|gl(?:pat|rt|dt|oas)-[\w-]{8,}|xox[abeoprs]-[\w-]{8,}|xapp-[\w-]{8,}|A[KS]IA[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|npm_\w{20,}|pypi-[\w-]{16,}|hf_\w{16,}|do[opr]_v1_\w{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|whsec_[\w+/=]{8,}|shp(?:at|ca|pa|ss)_\w{16,}|hv[sb]\.[\w-]{8,}|AGE-SECRET-KEY-1\w{8,}|eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\d{8,10}:AA[\w-]{30,})/g,
    stars,
  ],
  [/(hooks\.slack\.com\/services\/)[\w/]{8,}/g, `$1${stars}`],
  [/(:\/\/[^\s/:@"']{0,100}:)[^\s/@"']{1,200}@/g, `$1${stars}@`],
  [/(:\/\/)[^\s/:@"']{16,200}@/g, `$1${stars}@`],
  [new RegExp(String.raw`((?:${words})[\w.-]{0,40}\\?["']?\s{0,4}(?:=>?|:)\s{0,4})${value}`, 'gi'), keepHarmless],
  [new RegExp(String.raw`(-{1,2}(?:[a-z]{1,20}-){0,3}(?:${words})(?:-[a-z]{1,20}){0,2}\s{1,4})${value}`, 'gi'), `$1${stars}`],
  [/((?:^|\s)(?:-u|--user|--proxy-user)\s{0,4}["']?[^\s:"']{1,100}:)[^\s"']+/g, `$1${stars}`],
  [/(\bsshpass\s{1,4}-p\s{0,4})\S+/g, `$1${stars}`],
  [/([?&](?:key|sig|signature|code|sas|se|password|auth)=)[^\s&"'#]+/gi, `$1${stars}`],
  // What stands before it is looked at from behind: from the front, every letter of a long text could begin a name.
  [/(?<=[\w.-]["']?\s?[=:]\s?["']?)[A-Za-z0-9+/_=-]{24,}/g, keepPlain],
]

/** Too short a word for every rule. */
const plainWord = /^[A-Za-z_]{0,15}$/

/** The text with every secret that is recognised replaced by stars. */
export function maskText(text: string): string {
  if (text.length < 6 || plainWord.test(text)) return text
  let masked = text
  for (const [pattern, instead] of rules)
    masked = typeof instead === 'string' ? masked.replace(pattern, instead) : masked.replace(pattern, instead as (found: string) => string)
  return masked
}

function keepHarmless(found: string, ...[before, offset, whole]: [before: string, offset: number, whole: string]): string {
  return harmless.test(whole.slice(Math.max(0, offset - 12), offset + before.length)) ? found : `${before}${stars}`
}

function keepPlain(found: string): string {
  return looksRandom(found) ? stars : found
}

/** Long, mixed and without a pattern: a key rather than a word or a path. */
function looksRandom(text: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(text)) return true
  if (!/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || (text.match(/\//g)?.length ?? 0) > 3) return false
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits > 3.5
}

/** A text for a record: masked, and cut to `limit` UTF-16 units, never inside a pair. What is cut away is looked at only as far as a secret may reach. */
export function keptText(text: string, limit: number): string {
  const masked = maskText(text.length > limit + reach ? text.slice(0, limit + reach) : text)
  if (masked.length <= limit) return masked
  return `${masked.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const reach = 512
