/** Placeholders in commands and arguments: filled in as text, never as code. */
import { describe, expect, it } from 'vitest'
import { fillPlaceholders, optionInShell } from '../../src/handlers/command-placeholders.ts'
import { commandHook, makeContext } from './make-run.ts'

const hook = commandHook(
  'x',
  {},
  { source: 'plugin', variables: { CLAUDE_PLUGIN_ROOT: '/r', CLAUDE_PLUGIN_OPTION_API_KEY: 'k', 'user_config.Exact': 'e', MINE: '$& ${MINE}' } },
)
const context = makeContext({ projectDir: '/p' })

describe('placeholders', () => {
  it.each([
    ['the project', '${CLAUDE_PROJECT_DIR}/x', '/p/x'],
    ['the plugin', '${CLAUDE_PLUGIN_ROOT}${CLAUDE_PLUGIN_ROOT}', '/r/r'],
    ['an option by its variable', '${user_config.api-key}', 'k'],
    ['an option by its own name', '${user_config.Exact}', 'e'],
    ['a value only once, and as it is', '${MINE}', '$& ${MINE}'],
    ['nothing unknown', '${OTHER} $CLAUDE_PROJECT_DIR ${ CLAUDE_PROJECT_DIR }', '${OTHER} $CLAUDE_PROJECT_DIR ${ CLAUDE_PROJECT_DIR }'],
    ['no property that every object has', '${constructor}', '${constructor}'],
    ['the inner of two', '${${CLAUDE_PLUGIN_ROOT}}', '${/r}'],
    ['nothing that does not close', '${CLAUDE_PROJECT_DIR', '${CLAUDE_PROJECT_DIR'],
  ])('stand for %s', (_name, text, filled) => {
    expect(fillPlaceholders(text, hook, context)).toEqual({ kind: 'filled', text: filled })
  })

  it('that name an option nobody set are refused', () => {
    expect(fillPlaceholders('${user_config.missing}', hook, context)).toEqual({
      kind: 'refused',
      why: expect.stringContaining('no value for its option "missing"'),
    })
  })

  it.each([
    ['curl ${user_config.api-key}', '$CLAUDE_PLUGIN_OPTION_API_KEY'],
    ["echo '${user_config.x}'", '$CLAUDE_PLUGIN_OPTION_X'],
  ])('for options have no place in a shell command: %s', (command, variable) => {
    expect(optionInShell(command)).toContain(`"${variable}"`)
  })

  it('other than those for options are the shell’s own matter', () => {
    expect(optionInShell('echo ${CLAUDE_PROJECT_DIR} $user_config.x')).toBeUndefined()
  })
})
