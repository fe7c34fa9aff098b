/** `${NAME}` in the exec form of a command: replaced as plain text, once, by what the hook's source knows. */
import type { RunContext, RunnableHook } from '../protocol/runner.ts'

/** A text with its placeholders replaced, or the sentence that says why it cannot be. */
export type Filled = { readonly kind: 'filled'; readonly text: string } | { readonly kind: 'refused'; readonly why: string }

const placeholder = /\$\{(user_config\.)?([^${}]+)\}/g
const userOption = /\$\{user_config\.([^${}]*)\}/

/** Replaces what is known; any other `${…}` and `$NAME` stays as written, as in a program's argument it must. */
export function fillPlaceholders(text: string, hook: RunnableHook, context: RunContext): Filled {
  let missing: string | undefined
  const filled = text.replace(placeholder, (written: string, option: string | undefined, name: string) => {
    if (option === undefined) return name === 'CLAUDE_PROJECT_DIR' ? context.projectDir : (own(hook.variables, name) ?? written)
    const value = own(hook.variables, `user_config.${name}`) ?? own(hook.variables, optionVariable(name)) ?? own(hook.variables, `CLAUDE_PLUGIN_OPTION_${name}`)
    missing ??= value === undefined ? name : undefined
    return value ?? written
  })
  if (missing === undefined) return { kind: 'filled', text: filled }
  const plugin = hook.info.source.kind === 'plugin'
  const next = plugin ? `the plugin has no value for its option "${missing}"; set it in the plugin's configuration` : 'only hooks of a plugin have options'
  return { kind: 'refused', why: `\${user_config.${missing}} cannot be filled in: ${next}` }
}

/** Why a shell command may not name a plugin option, or `undefined` when it names none. */
export function optionInShell(command: string): string | undefined {
  const name = userOption.exec(command)?.[1]
  if (name === undefined) return undefined
  // Text put into a shell command is code. A variable is not.
  return `\${user_config.${name}} is not filled into shell commands, where its value would be read as code; write "$${optionVariable(name)}", or give the command "args"`
}

function optionVariable(name: string): string {
  return `CLAUDE_PLUGIN_OPTION_${name.replace(/[^A-Za-z0-9_]/g, '_').toUpperCase()}`
}

function own(variables: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined
}
