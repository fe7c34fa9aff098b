/** Paths as text, for the part of Hookline that knows no Node: joining, folders, and whether one lies in another. */

/** True for `/x`, `\\server` and `C:\x`. */
export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)
}

/** `path` seen from `folder`, with `.` and `..` worked out. An absolute path stays itself. */
export function resolvePath(folder: string, path: string): string {
  const whole = isAbsolute(path) ? path : `${folder}/${path}`
  const [, root = '', rest = ''] = /^([A-Za-z]:[\\/]|[\\/]*)(.*)$/s.exec(whole) ?? []
  const parts: string[] = []
  for (const part of rest.split(root.includes('\\') ? /[\\/]/ : '/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  const separator = root.includes('\\') ? '\\' : '/'
  return (root === '' || /^[A-Za-z]:/.test(root) || root === '\\\\' ? root : separator) + parts.join(separator)
}

/** The folder that holds `path`. */
export function folderOf(path: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))
  return end <= 0 ? path.slice(0, end + 1) : path.slice(0, end)
}

/** The last part of `path`. */
export function nameIn(path: string): string {
  return path.replace(/^.*[\\/]/s, '')
}

/** `path` lies in `folder` or is it; both are absolute and worked out. */
export function isInside(folder: string, path: string): boolean {
  const trimmed = folder.replace(/[\\/]+$/, '')
  return path === folder || path === trimmed || path.startsWith(`${trimmed}/`) || path.startsWith(`${trimmed}\\`)
}

/** `path` as people read it: relative when it lies in `folder`. */
export function shownPath(folder: string, path: string): string {
  return path !== folder && isInside(folder, path) ? path.slice(folder.replace(/[\\/]+$/, '').length + 1) : path
}
