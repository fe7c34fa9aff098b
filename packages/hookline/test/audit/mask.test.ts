/** Masking: no secret of a known shape gets through, and ordinary text stays readable. */
import { describe, expect, test } from 'vitest'
import { keptText, maskText, namesSecret } from '../../src/audit/mask.ts'
import { previewOf } from '../../src/audit/preview.ts'

// Put together at run time, so that no scanner takes this file for a leak.
const token = (...parts: string[]) => parts.join('')
const random = 'Zk3vQ9xT7bLm2WcR8pYd5HsN'

describe('a secret does not get through', () => {
  const cases: [what: string, text: string, secret: string][] = [
    ['a key of OpenAI form', `use ${token('sk-', 'proj-abcDEF1234567890')} now`, 'abcDEF1234567890'],
    ['a token of GitHub', `git clone with ${token('ghp_', 'A1b2C3d4E5f6G7h8I9j0')}`, 'A1b2C3d4E5f6'],
    ['a fine-grained token of GitHub', token('github_pat_', '11ABCDEFG0abcdefghijkl'), '11ABCDEFG0'],
    ['a token of GitLab', token('glpat-', 'xYz12345abcde'), 'xYz12345'],
    ['a token of Slack', token('xoxb-', '12345-67890-abcdefgh'), '67890-abcdefgh'],
    ['a key of AWS', `id ${token('AKIA', 'IOSFODNN7EXAMPLE')}`, 'IOSFODNN7'],
    ['a JWT', token('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0', '.c2lnbmF0dXJl'), 'eyJzdWIi'],
    ['a key of Google', token('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'), '1234567890abc'],
    ['a token of npm', token('npm_', 'abcdefghij0123456789abcd'), 'abcdefghij0123'],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${random}\n-----END RSA PRIVATE KEY-----`, random],
    ['a private key that is cut', `x -----BEGIN PRIVATE KEY-----\n${random}`, random],
    ['a password in a URL', 'psql postgres://app:hunter2hunter@db/x', 'hunter2hunter'],
    ['a token in front of a host', `git push https://${random}@host/x`, random],
    ['an authorization header', "curl -H 'Authorization: Token abc123xyz'", 'abc123xyz'],
    ['a bearer token', 'sent Bearer abcdef123456', 'abcdef123456'],
    ['basic authentication', 'Basic dXNlcjpodW50ZXIyMTIz', 'dXNlcjpo'],
    ['a cookie', 'Cookie: sid=abc; theme=dark', 'sid=abc'],
    ['a header with a key', 'X-Api-Key: 12345', '12345'],
    ['a variable', 'export OPENAI_API_KEY=plainvalue1', 'plainvalue1'],
    ['a variable in quotes', `AWS_SECRET_ACCESS_KEY="with blanks inside"`, 'blanks inside'],
    ['a key in JSON', '{"db_password": "x y z", "a": 1}', 'x y z'],
    ['a key in JSON inside JSON', String.raw`{\"password\":\"hunter2\"}`, 'hunter2'],
    ['an option', 'mysql --password hunter2', 'hunter2'],
    ['an option with a sign', 'tool --api-key=hunter2', 'hunter2'],
    ['the user of curl', 'curl -u bob:hunter2 https://x', 'hunter2'],
    ['sshpass', 'sshpass -p hunter2 ssh x', 'hunter2'],
    ['a parameter of a URL', 'https://x/y?a=1&sig=hunter2&b=2', 'hunter2'],
    ['what looks random behind a sign', `SETTING=${random}`, random],
    ['a random value behind another one', `a=${'0123456789abcdef'.repeat(2)}:${random}`, random],
    ['a long hexadecimal value', `value=${'0123456789abcdef'.repeat(2)}`, '0123456789abcdef'],
  ]
  test.each(cases)('%s', (_what, text, secret) => {
    const masked = maskText(text)
    expect(masked).not.toContain(secret)
    expect(masked).toContain('***')
  })
})

describe('ordinary text stays', () => {
  test.each([
    'git commit -m "fix the parser"',
    'npm run build -- --filter=./packages/hookline',
    'src/engine/corridor.ts:47: unexpected token in the middle',
    'max_tokens=4096 and input_tokens: 12',
    'author=Bob and author: Alice',
    'cd /home/alice/projects/hookline && ls -la',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'node --test --experimental-strip-types test/a-very-long-file-name-without-secrets.test.ts',
    'https://example.com/docs/page?version=2&lang=en',
    'commit 4b0a1c2',
  ])('%s', (text) => {
    expect(maskText(text)).toBe(text)
  })
})

test.each([
  ['authorization', true],
  ['X-Auth-Token', true],
  ['apiKey', true],
  ['client_secret', true],
  ['dbPassword', true],
  ['set-cookie', true],
  ['max_tokens', false],
  ['outputTokens', false],
  ['author', false],
  ['command', false],
])('the key %s names a secret: %s', (key, expected) => {
  expect(namesSecret(key)).toBe(expected)
})

test('masking a long text takes time in proportion to its length', () => {
  for (const filler of ['a', 'a.', 'token', '"', '-----BEGIN PRIVATE KEY-----', '=', 'x=', 'https://a:', 'authorization: ', '--a-']) {
    const text = filler.repeat(200_000 / filler.length)
    const started = performance.now()
    maskText(text)
    expect(performance.now() - started, filler).toBeLessThan(5_000)
  }
})

test('a secret that the cut goes through is masked first', () => {
  const secret = token('ghp_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4')
  for (let before = 0; before < 40; before++) {
    const kept = keptText(`${'x'.repeat(before)} ${secret} tail`, 24)
    expect(kept.length).toBeLessThanOrEqual(24)
    expect(kept).not.toMatch(/gh?p?_?A1b/)
    expect(kept).not.toContain('A1b2')
  }
})

describe('the preview of an input', () => {
  test('leaves out what every input has, and masks by key and by shape', () => {
    const preview = previewOf(
      {
        session_id: 's',
        cwd: '/x',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'curl -u bob:hunter2 x', password: 'a', max_tokens: 5, nested: { token: ['b'] } },
      },
      500,
    )
    expect(preview).toBe('{"tool_name":"Bash","tool_input":{"command":"curl -u bob:*** x","password":"***","max_tokens":5,"nested":{"token":"***"}}}')
  })

  test('of a large input is short, and no more of the input is read', () => {
    let reads = 0
    const input: Record<string, unknown> = { content: 'y'.repeat(10_000_000) }
    for (let index = 0; index < 10_000; index++) {
      Object.defineProperty(input, `k${index}`, {
        enumerable: true,
        get: () => {
          reads += 1
          return 1
        },
      })
    }
    const preview = previewOf({ tool_input: input }, 200)
    expect(preview.length).toBeLessThanOrEqual(200)
    expect(reads).toBeLessThan(100)
  })

  test('ends where an input goes round in a circle', () => {
    const round: Record<string, unknown> = { a: 1 }
    round['self'] = round
    expect(previewOf({ round }, 300).length).toBeLessThanOrEqual(300)
  })
})
