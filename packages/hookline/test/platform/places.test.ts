/** Where settings stand, by system and environment. */
import { describe, expect, test } from 'vitest'
import { findPlaces, stateFolder } from '../../src/platform/places.ts'

const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path)

describe('the places', () => {
  test('of a person and a project stand in the usual folders', () => {
    const places = findPlaces({ cwd: '/p', env: { HOME: '/h' }, platform: 'linux' })
    expect(paths(places.user)).toEqual(['/h/.claude/settings.json', '/h/.config/hookline/settings.json'])
    expect(paths(places.project)).toEqual(['/p/.claude/settings.json', '/p/.hookline/settings.json'])
    expect(paths(places.local)).toEqual(['/p/.claude/settings.local.json', '/p/.hookline/settings.local.json'])
    expect(places.managed).toEqual([
      { path: '/etc/claude-code/managed-settings.json', root: '/etc/claude-code', folder: '/etc/claude-code/managed-settings.d' },
      { path: '/etc/hookline/managed-settings.json', root: '/etc/hookline', folder: '/etc/hookline/managed-settings.d' },
    ])
    expect(places.plugins).toBe('/h/.claude/plugins')
    expect([...places.project, ...places.local].map(({ root }) => root)).toEqual(['/p', '/p', '/p', '/p'])
    expect(places.user.map(({ root }) => root)).toEqual(['/h/.claude', '/h/.config/hookline'])
  })
  test('follow the environment of the start, where it names whole paths', () => {
    const places = findPlaces({ cwd: '/p', env: { HOME: '/h', CLAUDE_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' } })
    expect(paths(places.user)).toEqual(['/c/settings.json', '/x/hookline/settings.json'])
    expect(places.plugins).toBe('/c/plugins')
    expect(paths(findPlaces({ cwd: '/p', env: { HOME: '/h', XDG_CONFIG_HOME: 'x', CLAUDE_CONFIG_DIR: '' } }).user)).toEqual([
      '/h/.claude/settings.json',
      '/h/.config/hookline/settings.json',
    ])
  })
  test('of policy differ by system', () => {
    expect(paths(findPlaces({ cwd: '/p', env: {}, platform: 'darwin' }).managed)).toEqual([
      '/Library/Application Support/ClaudeCode/managed-settings.json',
      '/Library/Application Support/Hookline/managed-settings.json',
    ])
    expect(findPlaces({ cwd: '/p', env: { ProgramFiles: 'D:\\P' }, platform: 'win32' }).managed.map(({ root }) => root)).toEqual([
      'D:\\P\\ClaudeCode',
      'D:\\P\\Hookline',
    ])
  })
  test('of our own state follow the same rules', () => {
    expect([stateFolder({ HOME: '/h' }), stateFolder({ HOME: '/h', XDG_STATE_HOME: '/s' }), stateFolder({ HOME: '/h', XDG_STATE_HOME: 's' })]).toEqual([
      '/h/.local/state/hookline',
      '/s/hookline',
      '/h/.local/state/hookline',
    ])
  })
})
