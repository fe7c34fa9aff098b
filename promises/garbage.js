/** Makes output that no hook should send, and says whether a text can honestly be read as a yes. */

const events = ['PreToolUse', 'PermissionRequest', 'Elicitation']
/** What a hook says to permit something, event by event. */
const yes = {
  PreToolUse: [
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', permissionDecisionReason: 'r' } },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'x' } } },
    { decision: 'approve', reason: 'r' },
  ],
  PermissionRequest: [{ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }],
  Elicitation: [{ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { a: 1 } } }],
}
const wrong = [
  null,
  true,
  false,
  0,
  1,
  -1,
  Number.POSITIVE_INFINITY,
  '',
  'Allow',
  'ALLOW',
  ' allow',
  'allow ',
  'allow\u0000',
  'аllow',
  'yes',
  'ok',
  'approved',
  'accepted',
  [],
  ['allow'],
  {},
  { allow: true },
  { behavior: 'allow' },
  [[['allow']]],
]
const keys = [
  'hookEventName',
  'permissionDecision',
  'decision',
  'behavior',
  'action',
  'hookSpecificOutput',
  'continue',
  'ok',
  '__proto__',
  'constructor',
  'toString',
  'PermissionDecision',
  'permission_decision',
  'permissiondecision',
  'suppressOutput',
  'async',
  'allow',
]

/** An honest yes, as text. */
export const plainYes = (event) => JSON.stringify(yes[event][0])

/** One piece of garbage for an event, as bytes. */
export function makeGarbage(random, event) {
  const good = random.pick(yes[event])
  const text = JSON.stringify(good)
  switch (random.int(14)) {
    case 0:
      return random.bytes(random.int(400))
    case 1: {
      const bytes = Buffer.from(text)
      for (let times = 1 + random.int(4); times > 0; times--) bytes[random.int(bytes.length)] = random.int(256)
      return bytes
    }
    case 2:
      return Buffer.from(text.slice(0, random.int(text.length)))
    case 3:
      return Buffer.from(text.slice(1 + random.int(text.length - 1)))
    case 4: {
      const at = random.int(text.length)
      return Buffer.from(
        text.slice(0, at) +
          random.pick([',', '"', '{', '}', '[', ']', ':', '\\', '\n', '\0', '/*', '//', 'null', ' ', '\u00a0', '\ufeff', '\u2028']) +
          text.slice(at),
      )
    }
    case 5:
      return Buffer.from(JSON.stringify(mutate(random, good)))
    case 6:
      return Buffer.from(`${random.pick(['ok ', '> ', '[1] ', 'data: ', '```json\n', '﻿﻿', '(', '[', "'", '{}', '{"a":1}', 'null', '\0'])}${text}`)
    case 7:
      return Buffer.from(`${text}${random.pick([' ok', text, '{}', ',', ';', '\0', '\n{"continue":false', '\n```', ')', ']', 'x'])}`)
    case 8:
      return Buffer.from(text.replace(event, random.pick(['PostToolUse', 'Stop', '', 'pretooluse', `${event} `, 'PreToolUse\u0000', '*'])))
    case 9:
      return Buffer.from(
        text.replace(/"(allow|approve|accept)"/, (_, word) =>
          JSON.stringify(
            random.pick([word.toUpperCase(), `${word}ed`, ` ${word}`, `${word}\n`, word.slice(1), 'yes', 'true', '1', 'passthrough', 'bypass', 'grant']),
          ),
        ),
      )
    case 10:
      return twice(random, event, (no, whole) => `${no},${whole}`)
    case 11:
      return twice(random, event, (no, whole) => `${whole},${no}`)
    case 12:
      return Buffer.from(text, 'utf16le')
    default:
      return Buffer.from(
        random.pick([
          '',
          ' ',
          'allow',
          '"allow"',
          'true',
          'null',
          '[]',
          '{}',
          '0',
          '{"permissionDecision":"allow"}',
          '{"allow":true}',
          '{"behavior":"allow"}',
          '{"ok":true}',
          '{"permission":"allow"}',
          '{"continue":true}',
          `[${text}]`,
          `"${text.replaceAll('"', '\\"')}"`,
          `{"hookSpecificOutput":${text}}`,
          text.replaceAll('"', "'"),
          '{'.repeat(random.int(3_000)),
          '['.repeat(random.int(3_000)),
          `{"a":${'['.repeat(2_000)}`,
          '\ud800',
          `${text.slice(0, -1)},}`,
        ]),
      )
  }
}

const nos = { permissionDecision: ['deny', 'ask', 'defer'], behavior: ['deny'], action: ['decline', 'cancel'], decision: ['block'] }

/** The deciding key a second time, with a no: whichever comes last, the stricter counts. */
function twice(random, event, join) {
  const text = JSON.stringify(random.pick(yes[event])).replace(/"(permissionDecision|behavior|action|decision)":"[a-z]+"/, (whole, key) =>
    join(`"${key}":"${random.pick(nos[key])}"`, whole),
  )
  return Object.assign(Buffer.from(text), { contradicts: true })
}

function mutate(random, value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return random.chance(0.7) ? random.pick(wrong) : value
  const copy = Object.create(null)
  for (const [key, member] of Object.entries(value)) {
    if (random.chance(0.15)) continue
    copy[random.chance(0.15) ? random.pick(keys) : key] = random.chance(0.5) ? mutate(random, member) : member
  }
  if (random.chance(0.3)) copy[random.pick(keys)] = random.pick(wrong)
  return copy
}

/** An object for hooks in JavaScript: mutated, with odd getters and prototypes. */
export function makeOddObject(random, event) {
  const good = random.pick([...yes[event], { permission: 'allow' }, { block: undefined, permission: 'allow' }])
  switch (random.int(6)) {
    case 0:
      return random.pick(wrong)
    case 1:
      return Object.create(good)
    case 2:
      return JSON.parse(JSON.stringify({ ...good, permission: random.pick(wrong), block: random.pick(wrong) }))
    case 3:
      return new Map(Object.entries(good))
    default:
      return mutate(random, good)
  }
}

/** What an honest reader may take for a yes: one JSON object and nothing else, which says so in the right place and not the contrary beside it. */
export function mayBeYes(bytes, event) {
  if (bytes.contradicts) return false
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    return false
  }
  try {
    const value = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value) && saysYes(value, event)
  } catch {
    return false
  }
}

/** The same for an object of JavaScript. */
export function saysYes(value, event) {
  const own = (object, key) => (object !== null && typeof object === 'object' && Object.hasOwn(object, key) ? object[key] : undefined)
  if (own(value, 'permission') === 'allow') return true
  const inner = own(value, 'hookSpecificOutput')
  const named = own(inner, 'hookEventName') === event
  if (event === 'PreToolUse') return (named && own(inner, 'permissionDecision') === 'allow') || own(value, 'decision') === 'approve'
  if (event === 'PermissionRequest') return named && own(own(inner, 'decision'), 'behavior') === 'allow'
  return named && own(inner, 'action') === 'accept'
}

export { events as yesEvents }
