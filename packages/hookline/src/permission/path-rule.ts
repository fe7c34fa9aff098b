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
  const { path, led } = placeOf(target, looking.call, startsAtHome(rule))
  const written = lookAtWritten(rule, { target, path }, looking)
  if (led === undefined || (looking.use === 'grant' && written.answer !== 'yes')) return written
  const { answer, why } = lookAtWritten(rule, led, { ...looking, call: led.call })
  const real: Look = { answer, why: led.target.path === target.path ? why : `"${target.path}" leads to "${led.target.path}": ${why}` }
  return looking.use === 'grant' ? real : anyOf([written, real], written)
}

/** Where a target is; the same for every rule of a decision, so it is worked out once. */
interface Place {
  /** Absolute; `undefined`: below a home folder that is not known. */
  readonly path: string | undefined
  /** With links followed; `undefined` when there is no link in the way. */
  readonly led: { readonly target: Target; readonly path: string | undefined; readonly call: RuleCall } | undefined
}

const places = new WeakMap<RuleCall, Map<string, Place>>()

function placeOf(target: Target, call: RuleCall, home: boolean): Place {
  let known = places.get(call)
  if (known === undefined) {
    known = new Map()
    places.set(call, known)
  }
  const key = `${home} ${target.path}${target.folder === true ? '/' : ''}`
  let place = known.get(key)
  if (place === undefined) {
    place = { path: absolute(target.path, call), led: followed(target, call, home) }
    known.set(key, place)
  }
  return place
}

/** Only such a rule needs to know where the home folder really is. */
function startsAtHome({ specifier }: Rule): boolean {
  return specifier?.trimStart().startsWith('~') === true
}

/** The target and the folders of the call with links followed. */
function followed(target: Target, call: RuleCall, fromHome: boolean): Place['led'] {
  const { realPath, cwd, root, home } = call
  const path = realPath === undefined ? undefined : wholePath(target.path, call)
  if (realPath === undefined || path === undefined) return undefined
  const really = (folder: string | undefined) => (folder === undefined || folder === '' ? folder : (realPath(folder) ?? folder))
  const real = realPath(path)
  const [realCwd, realRoot, realHome] = [really(cwd), really(root), fromHome ? really(home) : home]
  if (real === undefined || (same(real, path) && realCwd === cwd && realRoot === root && realHome === home)) return undefined
  const folders = {
    ...(realCwd !== undefined && { cwd: realCwd }),
    ...(realRoot !== undefined && { root: realRoot }),
    ...(realHome !== undefined && { home: realHome }),
  }
  const there = { ...call, ...folders }
  return { target: { ...target, path: real }, path: absolute(real, there), call: there }
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

function lookAtWritten(rule: Rule, { target, path }: { target: Target; path: string | undefined }, { call, use }: Looking): Look {
  const anchored = anchor(rule, call, use)
  const { base, needs } = anchored
  if (path === undefined) return cannotTell(`"${target.path}" is below the home folder, which is not known`)
  if (base === undefined) {
    const could = foldersAbove(path).some((folder) => covers(anchored, below(folder, path, true), { target, ignorecase: true }))
    return could
      ? cannotTell(`"${rule.text}" is relative to ${needs}, which is not known`)
      : no(`"${target.path}" is not covered by "${rule.text}", wherever ${needs} is`)
  }
  const relative = below(base, path, false)
  if (covers(anchored, relative, { target, ignorecase: false })) return yes(`"${target.path}" is covered by "${rule.text}"`)
  // On some disks upper and lower case are the same file.
  if (use !== 'grant' && covers(anchored, relative ?? below(base, path, true), { target, ignorecase: true }))
    return cannotTell(`"${target.path}" is covered by "${rule.text}" where case does not count`)
  return no(`"${target.path}" is not covered by "${rule.text}"`)
}

/** The pattern of a rule, and the folder that it starts from. */
interface Anchored {
  readonly base: string | undefined
  readonly pattern: string
  /** What every path that the pattern covers begins with, in lower case. */
  readonly head: string
  readonly needs: string
}

type Folders = { readonly [K in 'cwd' | 'root' | 'home']: string | undefined }

const anchors = new WeakMap<Rule, Anchored & Folders & Pick<Looking, 'use'>>()

function anchor(rule: Rule, { cwd, root, home }: RuleCall, use: RuleUse): Anchored {
  const before = anchors.get(rule)
  if (before !== undefined && before.cwd === cwd && before.root === root && before.home === home && before.use === use) return before
  const found = findAnchor(rule.specifier ?? '**', { cwd, root, home }, use)
  // A pattern that begins with a slash names its first folders; up to its first special character they are plain text.
  const head = /^\/([\w./-]*)/.exec(found.pattern)?.[1] ?? ''
  const anchored = { ...found, head: head.replace(/\/+$/, '').toLowerCase(), cwd, root, home, use }
  anchors.set(rule, anchored)
  return anchored
}

function findAnchor(specifier: string, { cwd: here, root, home }: Folders, use: RuleUse): Omit<Anchored, 'head'> {
  const text = posix(specifier.trim())
  const cwd = folderOf(here)
  if (text.startsWith('//')) return { base: '/', pattern: rooted(text.slice(2)), needs: 'nothing' }
  if (text === '~' || text.startsWith('~/'))
    return { base: home === undefined ? undefined : normalise(posix(home)), pattern: rooted(text.slice(2)), needs: 'the home folder' }
  if (text.startsWith('/')) return { base: root === undefined ? cwd : normalise(posix(root)), pattern: rooted(text.slice(1)), needs: "the settings' folder" }
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

function covers({ pattern, head }: Anchored, relative: string | undefined, { target, ignorecase }: { target: Target; ignorecase: boolean }): boolean {
  if (relative === undefined || (head !== '' && relative.slice(0, head.length).toLowerCase() !== head)) return false
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
  return normalise(`${folderOf(call.cwd) ?? nowhere}/${text}`)
}

// Plain paths of a call and of a rule are relative to the same folder, even when nobody knows which.
const nowhere = '/\u{E000}'

function folderOf(cwd: string | undefined): string | undefined {
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
