/** Path rules: gitignore patterns behind four anchors, compared with the path as written and with where it leads (protocol §4.4). */
import ignore, { type Ignore } from 'ignore'
import { anyOf, cannotTell, type Look, no, yes } from './answer.ts'
import type { RuleCall } from './call.ts'
import type { Rule, RuleUse } from './rule.ts'

/** A path that a call touches; `folder` when everything below it is touched too. */
export interface Target {
  readonly path: string
  readonly folder?: true
}

interface Looking {
  readonly call: RuleCall
  readonly use: RuleUse
}

/** Whether the rule's path pattern covers the target. To permit, link and what it leads to must both be covered; otherwise one is enough. */
export function lookAtPath(rule: Rule, target: Target, looking: Looking): Look {
  const written = lookAtWritten(rule, target, looking)
  const led = followed(target, looking.call)
  if (led === undefined || (looking.use === 'grant' && written.answer !== 'yes')) return written
  const { answer, why } = lookAtWritten(rule, led.target, { ...looking, call: led.call })
  const real: Look = { answer, why: led.target.path === target.path ? why : `"${target.path}" leads to "${led.target.path}": ${why}` }
  return looking.use === 'grant' ? real : anyOf([written, real], written)
}

/** The target and the folders of the call with links followed; `undefined` when there is no link in the way. */
function followed(target: Target, call: RuleCall): { target: Target; call: RuleCall } | undefined {
  const { realPath, cwd, root, home } = call
  const path = realPath === undefined ? undefined : wholePath(target.path, call)
  if (realPath === undefined || path === undefined) return undefined
  const really = (folder: string | undefined) => (folder === undefined || folder === '' ? folder : (realPath(folder) ?? folder))
  const real = realPath(path)
  const [realCwd, realRoot, realHome] = [really(cwd), really(root), really(home)]
  if (real === undefined || (same(real, path) && realCwd === cwd && realRoot === root && realHome === home)) return undefined
  const folders = {
    ...(realCwd !== undefined && { cwd: realCwd }),
    ...(realRoot !== undefined && { root: realRoot }),
    ...(realHome !== undefined && { home: realHome }),
  }
  return { target: { ...target, path: real }, call: { ...call, ...folders } }
}

function same(real: string, path: string): boolean {
  return real === path || posix(real) === normalise(posix(path))
}

/** As the system is asked about it: `..` is left in, because it means the folder above where a link leads. */
function wholePath(path: string, { cwd, home }: RuleCall): string | undefined {
  if (path === '~' || path.startsWith('~/')) return home === undefined ? undefined : `${home}${path.slice(1)}`
  if (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path
  return cwd === undefined || cwd === '' ? undefined : `${cwd}/${path}`
}

function lookAtWritten(rule: Rule, target: Target, { call, use }: Looking): Look {
  const { base, pattern, needs } = anchor(rule.specifier ?? '**', call, use)
  const path = absolute(target.path, call)
  if (path === undefined) return cannotTell(`"${target.path}" is below the home folder, which is not known`)
  if (base === undefined) {
    const could = foldersAbove(path).some((folder) => covers(pattern, below(folder, path, true), { target, ignorecase: true }))
    return could
      ? cannotTell(`"${rule.text}" is relative to ${needs}, which is not known`)
      : no(`"${target.path}" is not covered by "${rule.text}", wherever ${needs} is`)
  }
  const exact = covers(pattern, below(base, path, false), { target, ignorecase: false })
  if (exact) return yes(`"${target.path}" is covered by "${rule.text}"`)
  // On some disks upper and lower case are the same file.
  if (use !== 'grant' && covers(pattern, below(base, path, true), { target, ignorecase: true }))
    return cannotTell(`"${target.path}" is covered by "${rule.text}" where case does not count`)
  return no(`"${target.path}" is not covered by "${rule.text}"`)
}

interface Anchored {
  readonly base: string | undefined
  readonly pattern: string
  readonly needs: string
}

function anchor(specifier: string, call: RuleCall, use: RuleUse): Anchored {
  const text = posix(specifier.trim())
  const cwd = folderOf(call)
  if (text.startsWith('//')) return { base: '/', pattern: rooted(text.slice(2)), needs: 'nothing' }
  if (text === '~' || text.startsWith('~/'))
    return { base: call.home === undefined ? undefined : normalise(posix(call.home)), pattern: rooted(text.slice(2)), needs: 'the home folder' }
  if (text.startsWith('/'))
    return { base: call.root === undefined ? cwd : normalise(posix(call.root)), pattern: rooted(text.slice(1)), needs: "the settings' folder" }
  const needs = 'the current folder'
  if (text.startsWith('./') || text.startsWith('../')) {
    const up = /^(?:\.\.?\/)+/.exec(text)?.[0] ?? ''
    return { base: cwd === undefined ? undefined : normalise(`${cwd}/${up}`), pattern: rooted(text.slice(up.length)), needs }
  }
  // One folder and everything in it: to permit, only the one in the current folder; to forbid, at any depth.
  const single = /^([^/]+)\/\*\*$/.exec(text)?.[1]
  const plain = single !== undefined && single !== '**' && use === 'restrict' ? `**/${text}` : text
  return { base: cwd, pattern: plain.replace(/^[#!]/, '\\$&'), needs }
}

function rooted(rest: string): string {
  return rest === '' ? '**' : `/${rest}`
}

const compiled = new Map<string, Ignore>()

function matcherOf(pattern: string, ignorecase: boolean): Ignore {
  const key = `${ignorecase}${pattern}`
  let matcher = compiled.get(key)
  if (matcher === undefined) {
    // Rules are few and long-lived; the bound only keeps a host that makes them up from growing this for ever.
    if (compiled.size > 1000) compiled.clear()
    matcher = ignore({ ignorecase }).add({ pattern })
    compiled.set(key, matcher)
  }
  return matcher
}

function covers(pattern: string, relative: string | undefined, { target, ignorecase }: { target: Target; ignorecase: boolean }): boolean {
  if (relative === undefined) return false
  const matcher = matcherOf(pattern, ignorecase)
  if (relative !== '' && matcher.ignores(relative)) return true
  // What is below a folder has some name; a rule that covers it covers any name.
  return target.folder === true && matcher.ignores(relative === '' ? '\u{E000}' : `${relative}/\u{E000}`)
}

/** The path below the base; `undefined` when it is outside. */
function below(base: string, path: string, foldCase: boolean): string | undefined {
  const [b, p] = foldCase ? [base.toLowerCase(), path.toLowerCase()] : [base, path]
  if (p === b) return ''
  const prefix = b === '/' ? '/' : `${b}/`
  return p.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

function absolute(path: string, call: RuleCall): string | undefined {
  const { home } = call
  const text = posix(path)
  if (text.startsWith('/')) return normalise(text)
  if (text === '~' || text.startsWith('~/')) return home === undefined ? undefined : normalise(`${posix(home)}/${text.slice(2)}`)
  return normalise(`${folderOf(call) ?? nowhere}/${text}`)
}

// Plain paths of a call and of a rule are relative to the same folder, even when nobody knows which.
const nowhere = '/\u{E000}'

function folderOf({ cwd }: RuleCall): string | undefined {
  return cwd === undefined || cwd === '' ? undefined : normalise(posix(cwd))
}

/** Every folder the path is in, the nearest first. */
function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = path.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : path.lastIndexOf('/', at - 1)) folders.push(at === 0 ? '/' : path.slice(0, at))
  return path === '/' ? ['/'] : [path, ...folders]
}

/** `C:\a` as `/c/a`; other paths unchanged, because a backslash is a letter in a POSIX name. */
function posix(path: string): string {
  const drive = /^([A-Za-z]):[\\/]/.exec(path)
  return drive ? `/${(drive[1] ?? '').toLowerCase()}/${path.slice(3).replaceAll('\\', '/')}` : path
}

function normalise(path: string): string {
  const out: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') out.pop()
    else out.push(segment)
  }
  return `/${out.join('/')}`
}
