/** Paths as text: joining, folders, containment. */
import { describe, expect, test } from 'vitest'
import { folderOf, isAbsolute, isInside, nameIn, resolvePath, shownPath } from '../../src/config/paths.ts'

describe('a path', () => {
  const joined: [folder: string, path: string, whole: string][] = [
    ['/a/b', 'c', '/a/b/c'],
    ['/a/b', './c/../d', '/a/b/d'],
    ['/a/b', '../../../c', '/c'],
    ['/a/b', '/c', '/c'],
    ['/a/b/', '', '/a/b'],
    ['/', 'c', '/c'],
    ['C:\\a', 'b\\c', 'C:\\a\\b\\c'],
    ['C:\\a', '..\\b', 'C:\\b'],
    ['C:/a', 'b', 'C:/a/b'],
    ['/a b/ü', 'c', '/a b/ü/c'],
  ]
  test.each(joined)('in %s, %s is %s', (folder, path, whole) => {
    expect(resolvePath(folder, path)).toBe(whole)
  })
  test('has a folder and a name', () => {
    expect([folderOf('/a/b.json'), folderOf('/b.json'), folderOf('C:\\a\\b'), nameIn('/a/b.json'), nameIn('b'), nameIn('C:\\a\\b')]).toEqual([
      '/a',
      '/',
      'C:\\a',
      'b.json',
      'b',
      'b',
    ])
  })
  test('is absolute or not', () => {
    expect(['/a', 'C:\\a', 'c:/a', '\\\\server\\x', 'a/b', './a', '~/a', 'C:a'].map(isAbsolute)).toEqual([true, true, true, true, false, false, false, false])
  })
  test('lies in a folder by whole parts', () => {
    expect([isInside('/a/b', '/a/b/c'), isInside('/a/b', '/a/b'), isInside('/a/b', '/a/bc'), isInside('/a/b/', '/a/b/c'), isInside('/', '/a')]).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
  })
  test('is shown from the folder it lies in', () => {
    expect([shownPath('/a', '/a/b/c'), shownPath('/a', '/b'), shownPath('/a', '/a'), shownPath('/', '/b')]).toEqual(['b/c', '/b', '/a', 'b'])
  })
})
